#include "ui/panels/step_chip.h"

#include "ui/figures/text/symbol_spans.h"
#include "ui/text/symbol_text.h"

#include <QFontInfo>
#include <QStyleOptionToolButton>
#include <QStylePainter>

namespace headlight::ui {

StepChip::StepChip(const QString &symbol, QWidget *parent) : QToolButton(parent), m_symbol(symbol) {
    setObjectName("chip");
    setText(plainSymbols(symbol));
    setCheckable(true);
    setAutoRaise(false);
    setFocusPolicy(Qt::TabFocus);
}

void StepChip::paintEvent(QPaintEvent *event) {
    if (symbolPieces(m_symbol).size() == 1)
        return QToolButton::paintEvent(event);
    QStylePainter painter(this);
    QStyleOptionToolButton option;
    initStyleOption(&option);
    option.text.clear();
    painter.drawComplexControl(QStyle::CC_ToolButton, option);
    QFont font = this->font();
    font.setPixelSize(QFontInfo(font).pixelSize());
    if (isChecked())
        font.setWeight(QFont::DemiBold);
    const Spans spans =
        symbolSpans(m_symbol, isChecked() ? palette().color(QPalette::HighlightedText) : m_colour);
    const double spare = width() - spansWidth(spans, font);
    painter.setRenderHint(QPainter::TextAntialiasing);
    drawSpans(painter, QRectF(rect()).adjusted(spare / 2, 0, 0, 0), spans, font);
}

void StepChip::enterEvent(QEnterEvent *event) {
    emit termHovered(m_term);
    QToolButton::enterEvent(event);
}

void StepChip::leaveEvent(QEvent *event) {
    emit termHovered({});
    QToolButton::leaveEvent(event);
}

} // namespace headlight::ui
