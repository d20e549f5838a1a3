#include "ui/panels/layer_chip.h"

#include <QPainter>

namespace headlight::ui {

LayerChip::LayerChip(QWidget *parent) : QToolButton(parent) {
    setObjectName("layer");
    setCheckable(true);
    setFocusPolicy(Qt::TabFocus);
}

void LayerChip::setRecomputed(bool isRecomputed, const QColor &colour) {
    if (m_isRecomputed == isRecomputed && m_colour == colour)
        return;
    m_isRecomputed = isRecomputed;
    m_colour = colour;
    setAccessibleDescription(isRecomputed ? tr("recomputed") : QString());
    update();
}

void LayerChip::paintEvent(QPaintEvent *event) {
    QToolButton::paintEvent(event);
    if (!m_isRecomputed)
        return;
    QPainter painter(this);
    const int corner = height() / 2; // the ends are round
    painter.fillRect(QRect(corner, 0, width() - 2 * corner, 3), m_colour);
}

} // namespace headlight::ui
