#include "ui/panels/film_frame.h"

#include "ui/figures/text/symbol_spans.h"
#include "ui/text/symbol_text.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QStyleOptionToolButton>
#include <QStylePainter>

namespace headlight::ui {

namespace {

constexpr double kPictureWidth = 54; // px, before scaling
constexpr double kPictureHeight = 28;
constexpr double kArrow = 15; // px, corner that opens the menu
constexpr double kAir = 5;    // px around the picture and the symbol

} // namespace

FilmFrame::FilmFrame(const QString &symbol, const QColor &colour, const FigureStyle &style,
                     QWidget *parent)
    : QToolButton(parent), m_symbol(symbol), m_colour(colour), m_style(style) {
    setObjectName("frame");
    setText(plainSymbols(symbol));
    setCheckable(true);
    setAutoRaise(false);
    setFocusPolicy(Qt::TabFocus);
}

void FilmFrame::setPicture(const QImage &picture) {
    m_picture = picture;
    update();
}

QFont FilmFrame::symbolFont() const {
    return m_style.font(FigureStyle::Text::Label, true);
}

QSizeF FilmFrame::pictureSize() const {
    return {m_style.scaled(kPictureWidth), m_style.scaled(kPictureHeight)};
}

QSize FilmFrame::sizeHint() const {
    const QSizeF picture = pictureSize();
    const double air = m_style.scaled(kAir);
    const double words = spansWidth(symbolSpans(m_symbol, m_colour, true), symbolFont());
    return {qCeil(std::max(picture.width(), words) + 2 * air),
            qCeil(picture.height() + lineHeight(symbolFont()) + 2.5 * air)};
}

void FilmFrame::paintEvent(QPaintEvent *) {
    QStylePainter painter(this);
    QStyleOptionToolButton option;
    initStyleOption(&option);
    option.text.clear();
    painter.drawComplexControl(QStyle::CC_ToolButton, option);
    const double air = m_style.scaled(kAir);
    const QSizeF room = pictureSize();
    if (!m_picture.isNull()) {
        const QSizeF size = m_picture.deviceIndependentSize();
        const QPointF corner((width() - size.width()) / 2,
                             air + (room.height() - size.height()) / 2);
        painter.drawImage(QPointF(qRound(corner.x()), qRound(corner.y())), m_picture);
    }
    if (m_fill) {
        painter.fillRect(arrowRect().adjusted(2, 3, -3, -2), m_style.surface);
        drawLine(painter, arrowRect().adjusted(0, 1, -2, 0), Qt::AlignHCenter, QStringLiteral("▾"),
                 m_style.font(FigureStyle::Text::Label), m_style.text);
    }
    const QFont font = symbolFont();
    const Spans spans = symbolSpans(m_symbol, m_colour, true);
    painter.setRenderHint(QPainter::TextAntialiasing);
    drawSpans(painter,
              QRectF((width() - spansWidth(spans, font)) / 2, air + room.height() + 0.4 * air,
                     width(), lineHeight(font)),
              spans, font);
}

void FilmFrame::setMenuFiller(std::function<void(QMenu &)> fill, const QString &toolTip) {
    m_fill = std::move(fill);
    setToolTip(QStringLiteral("%1\n▾ %2").arg(this->toolTip(), toolTip));
    update();
}

QRectF FilmFrame::arrowRect() const {
    const double side = m_style.scaled(kArrow);
    return m_fill ? QRectF(width() - side, 0, side, side) : QRectF();
}

void FilmFrame::openMenu() {
    if (!m_fill)
        return;
    QMenu menu(this);
    m_fill(menu);
    menu.exec(mapToGlobal(QPoint(0, -menu.sizeHint().height())));
}

void FilmFrame::mousePressEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton && arrowRect().contains(event->position()))
        return openMenu();
    QToolButton::mousePressEvent(event);
}

void FilmFrame::contextMenuEvent(QContextMenuEvent *event) {
    m_fill ? openMenu() : event->ignore();
}

void FilmFrame::keyPressEvent(QKeyEvent *event) {
    if (m_fill && event->key() == Qt::Key_Down && event->modifiers() == Qt::AltModifier)
        return openMenu();
    QToolButton::keyPressEvent(event);
}

void FilmFrame::enterEvent(QEnterEvent *event) {
    emit termHovered(m_term);
    QToolButton::enterEvent(event);
}

void FilmFrame::leaveEvent(QEvent *event) {
    emit termHovered({});
    QToolButton::leaveEvent(event);
}

} // namespace headlight::ui
