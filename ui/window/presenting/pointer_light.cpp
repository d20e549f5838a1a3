#include "ui/window/presenting/pointer_light.h"

#include <QPainter>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr double kMinLitCell = 14; ///< px: smaller cells get a larger outline
constexpr int kWrapped = Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignVCenter;

} // namespace

PointerLight::PointerLight(QWidget *parent) : QWidget(parent), m_style(FigureStyle::light()) {
    setObjectName("pointerLight");
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
}

void PointerLight::setStyle(const FigureStyle &style) {
    m_style = style;
    update();
}

void PointerLight::light(const std::optional<QRectF> &cell, QPointF point, const QString &words) {
    m_cell = words.isEmpty() ? std::nullopt : cell;
    m_point = point;
    m_words = words;
    setAccessibleDescription(words);
    update();
}

QRectF PointerLight::outline() const {
    const QRectF cell = m_cell.value_or(QRectF(m_point, QSizeF(1, 1)));
    const double x = std::max(0.0, (kMinLitCell - cell.width()) / 2);
    const double y = std::max(0.0, (kMinLitCell - cell.height()) / 2);
    return cell.adjusted(-x, -y, x, y);
}

QRectF PointerLight::wordsRect() const {
    if (m_words.isEmpty())
        return {};
    const QFontMetricsF metrics(m_style.font(FigureStyle::Text::Body, true));
    const double air = m_style.scaled(8);
    const double widest = 0.8 * width() - 2 * air;
    const QRectF text =
        metrics.boundingRect(QRectF(0, 0, widest, 1e6), kWrapped | Qt::AlignTop, m_words);
    QRectF bubble(QPointF(),
                  QSizeF(std::min(widest, text.width() + 1) + 2 * air, text.height() + 1.2 * air));
    // Place the text below the cell, or above it if there is no space.
    const QRectF lit = outline();
    const double below = lit.bottom() + air;
    const double top =
        below + bubble.height() <= height() ? below : lit.top() - air - bubble.height();
    const double left = lit.center().x() - bubble.width() / 2;
    bubble.moveTo(std::clamp(left, 0.0, std::max(0.0, width() - bubble.width())),
                  std::clamp(top, 0.0, std::max(0.0, height() - bubble.height())));
    return bubble;
}

void PointerLight::paintEvent(QPaintEvent *) {
    if (m_words.isEmpty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_cell) {
        // Draw two outlines, so that one of them contrasts with any colour.
        const double line = std::max(2.0, m_style.scaled(2));
        const QRectF cell = outline();
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_style.surface, line));
        painter.drawRoundedRect(cell.adjusted(-1.5 * line, -1.5 * line, 1.5 * line, 1.5 * line),
                                line, line);
        painter.setPen(QPen(m_style.text, line));
        painter.drawRoundedRect(cell.adjusted(-line / 2, -line / 2, line / 2, line / 2), line / 2,
                                line / 2);
    }
    const QRectF bubble = wordsRect();
    const double air = m_style.scaled(8);
    painter.setPen(QPen(m_style.surface, 2));
    painter.setBrush(m_style.text);
    painter.drawRoundedRect(bubble.adjusted(1, 1, -1, -1), air / 2, air / 2);
    painter.setFont(m_style.font(FigureStyle::Text::Body, true));
    painter.setPen(m_style.surface);
    painter.drawText(bubble.adjusted(air, 0, -air, 0), kWrapped, m_words);
}

} // namespace headlight::ui
