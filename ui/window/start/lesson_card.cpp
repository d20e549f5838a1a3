#include "ui/window/start/lesson_card.h"

#include <QPainter>
#include <QPainterPath>

namespace headlight::ui {

namespace {

constexpr int kCardWidth = 272, kPictureHeight = 144, kAir = 12;
constexpr double kRound = 8;
constexpr int kCardText = Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop;

} // namespace

LessonCard::LessonCard(const QString &title, const QString &summary, QWidget *parent)
    : QAbstractButton(parent), m_summary(summary), m_style(FigureStyle::light()) {
    setText(title);
    setAccessibleName(tr("Lesson: %1").arg(title));
    setAccessibleDescription(summary);
    setToolTip(tr("Open this lesson"));
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void LessonCard::setStyle(const FigureStyle &style) {
    m_style = style;
    m_picture = {};
    updateGeometry();
    update();
}

void LessonCard::setPicture(const QImage &picture) {
    m_picture = picture;
    update();
}

QSize LessonCard::pictureSize() const {
    return {qRound(m_style.scaled(kCardWidth)), qRound(m_style.scaled(kPictureHeight))};
}

QRect LessonCard::textRect(const QString &text, bool bold, int top) const {
    const int air = qRound(m_style.scaled(kAir));
    const QFontMetrics metrics(m_style.font(FigureStyle::Text::Body, bold));
    const int available = pictureSize().width() - 2 * air;
    return {air, top, available,
            metrics.boundingRect(0, 0, available, 10000, kCardText, text).height()};
}

QSize LessonCard::sizeHint() const {
    const int air = qRound(m_style.scaled(kAir));
    const QRect title = textRect(text(), true, pictureSize().height() + air);
    const QRect words = textRect(m_summary, false, title.bottom() + air / 3);
    return {pictureSize().width(), words.bottom() + air};
}

void LessonCard::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool lit = hasFocus() || underMouse() || isDown();
    QPainterPath card;
    card.addRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), kRound, kRound);
    painter.fillPath(card, m_style.surface);
    const QRect picture(QPoint(), pictureSize());
    painter.save();
    painter.setClipPath(card);
    painter.fillRect(picture, m_style.background);
    if (!m_picture.isNull())
        painter.drawImage(picture, m_picture);
    painter.restore();
    painter.setPen(QPen(lit ? m_style.accent : m_style.border, hasFocus() ? 2 : 1));
    painter.drawPath(card);
    const int air = qRound(m_style.scaled(kAir));
    const QRect title = textRect(text(), true, picture.height() + air);
    painter.setFont(m_style.font(FigureStyle::Text::Body, true));
    painter.setPen(m_style.text);
    painter.drawText(title, kCardText, text());
    painter.setFont(m_style.font(FigureStyle::Text::Body));
    painter.setPen(m_style.mutedText);
    painter.drawText(textRect(m_summary, false, title.bottom() + air / 3), kCardText, m_summary);
}

void LessonCard::enterEvent(QEnterEvent *event) {
    QAbstractButton::enterEvent(event);
    update();
}

void LessonCard::leaveEvent(QEvent *event) {
    QAbstractButton::leaveEvent(event);
    update();
}

} // namespace headlight::ui
