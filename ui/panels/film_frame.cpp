#include "ui/panels/film_frame.h"

#include "ui/figures/text/symbol_spans.h"
#include "ui/text/sentences.h"
#include "ui/text/symbol_text.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QStyleOptionToolButton>
#include <QStylePainter>

namespace headlight::ui {

namespace {

constexpr double kPictureWidth = 54; // px, before scaling
constexpr double kPictureHeight = 28;
constexpr double kArrow = 15;        // px, corner that opens the menu
constexpr double kAir = 5;           // px around the picture and the symbol
constexpr double kFadedShare = 0.35; // share of the picture's colours that remains

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

void FilmFrame::setMarks(const Marks &marks) {
    if (m_marks == marks)
        return;
    m_marks = marks;
    describe();
    update();
}

void FilmFrame::setDescription(const QString &description) {
    m_description = description;
    describe();
}

void FilmFrame::describe() {
    setAccessibleDescription(
        sentences({m_marks.isComputing ? tr("Computing…") : QString(),
                   m_marks.isRecomputed ? tr("Recomputed.") : QString(), m_description}));
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
        painter.setOpacity(m_marks.isFaded ? kFadedShare : 1);
        painter.drawImage(QPointF(qRound(corner.x()), qRound(corner.y())), m_picture);
        painter.setOpacity(1);
    }
    if (m_fill) {
        painter.fillRect(arrowRect().adjusted(2, 3, -3, -2), m_style.surface);
        drawLine(painter, arrowRect().adjusted(0, 1, -2, 0), Qt::AlignHCenter, QStringLiteral("▾"),
                 m_style.font(FigureStyle::Text::Label), m_style.text);
    }
    paintName(painter);
    if (m_marks.isRecomputed) // thicker than the border of the current frame
        painter.fillRect(QRectF(air, 0, width() - 2 * air, air), m_style.accent);
}

/// Paints the symbol, or "computing…" during a slow pass.
void FilmFrame::paintName(QPainter &painter) const {
    const double air = m_style.scaled(kAir);
    const Spans spans =
        m_marks.isComputing
            ? Spans{{tr("computing…"), m_style.mutedText, false, Span::Place::Line}}
            : symbolSpans(m_symbol, m_marks.isFaded ? m_style.mutedText : m_colour, true);
    const QFont font =
        m_marks.isComputing
            ? fittedFont(spans, m_style.font(FigureStyle::Text::Label), width() - air)
            : symbolFont();
    const double left = std::max(air / 2, (width() - spansWidth(spans, font)) / 2);
    painter.setRenderHint(QPainter::TextAntialiasing);
    drawSpans(painter,
              QRectF(left, air + pictureSize().height() + 0.4 * air, width() - left,
                     lineHeight(symbolFont())),
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
