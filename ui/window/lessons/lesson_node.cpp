#include "ui/window/lessons/lesson_node.h"

#include "ui/text/sentences.h"
#include "ui/text/step_number.h"

#include <QPainter>

namespace headlight::ui {

namespace {

constexpr int kNodeWidth = 208, kNodeAir = 10, kBar = 4;
constexpr double kNodeRound = 8;
constexpr double kOffTrack = 0.4; // opacity of a lesson that is not on the chosen track
constexpr int kTitleText = Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop;

} // namespace

LessonNode::LessonNode(const LessonInfo &lesson, int number, const FigureStyle &style,
                       QWidget *parent)
    : QAbstractButton(parent), m_lesson(lesson), m_style(style), m_progress(progressOf(lesson.id)) {
    setObjectName("lessonNode-" + lesson.id);
    setText(tr("%1  %2").arg(number).arg(lesson.title));
    setAccessibleName(labelled(lesson.title, stateText()));
    setAccessibleDescription(lesson.summary);
    setToolTip(lesson.summary);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
}

int LessonNode::nextStep() const {
    return m_progress.isDone(m_lesson.steps) || m_progress.step >= m_lesson.steps ? 0
                                                                                  : m_progress.step;
}

void LessonNode::setHere(bool isHere) {
    m_isHere = isHere;
    setAccessibleName(labelled(m_lesson.title, stateText()));
    update();
}

void LessonNode::setOnTrack(bool isOnTrack) {
    m_isOnTrack = isOnTrack;
    update();
}

/// Returns "about 12 min", "at step 4 of 9", "you are here: step 4 of 9", "✓ read to the end".
QString LessonNode::stateText() const {
    if (m_lesson.steps == 0)
        return tr("a session to try");
    if (m_progress.isDone(m_lesson.steps))
        return m_isHere ? tr("you are here · ✓ read to the end") : tr("✓ read to the end");
    if (m_progress.wasOpened())
        return (m_isHere ? tr("you are here: step %1 of %2") : tr("at step %1 of %2"))
            .arg(stepNumber(nextStep()))
            .arg(m_lesson.steps);
    return m_lesson.minutes > 0  ? tr("about %1 min").arg(m_lesson.minutes)
           : m_lesson.steps == 1 ? tr("1 step")
                                 : tr("%n steps", nullptr, static_cast<int>(m_lesson.steps));
}

QRect LessonNode::titleRect() const {
    const int air = qRound(m_style.scaled(kNodeAir));
    const int available = qRound(m_style.scaled(kNodeWidth)) - 2 * air;
    const QFontMetrics metrics(m_style.font(FigureStyle::Text::Body, true));
    return {air, air, available,
            metrics.boundingRect(0, 0, available, 10000, kTitleText, text()).height()};
}

QSize LessonNode::sizeHint() const {
    const int air = qRound(m_style.scaled(kNodeAir));
    const QFontMetrics words(m_style.font(FigureStyle::Text::Label));
    return {qRound(m_style.scaled(kNodeWidth)),
            titleRect().bottom() + words.height() + 2 * air + kBar};
}

void LessonNode::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!m_isOnTrack && !hasFocus() && !underMouse())
        painter.setOpacity(kOffTrack);
    const bool lit = hasFocus() || underMouse() || isDown();
    const QRectF card = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.setPen(
        QPen(lit || m_isHere ? m_style.accent : m_style.border, hasFocus() || m_isHere ? 2 : 1));
    painter.setBrush(m_style.surface);
    painter.drawRoundedRect(card, kNodeRound, kNodeRound);
    painter.setFont(m_style.font(FigureStyle::Text::Body, true));
    painter.setPen(m_style.text);
    painter.drawText(titleRect(), kTitleText, text());
    painter.setFont(m_style.font(FigureStyle::Text::Label));
    painter.setPen(m_isHere ? m_style.accent : m_style.mutedText);
    const int air = qRound(m_style.scaled(kNodeAir));
    const QRect words(air, titleRect().bottom() + 2, width() - 2 * air,
                      QFontMetrics(painter.font()).height());
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, stateText());
    if (!m_progress.wasOpened() || m_lesson.steps == 0)
        return;
    QRectF bar(air, height() - air, width() - 2 * air, kBar);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_style.border);
    painter.drawRoundedRect(bar, kBar / 2.0, kBar / 2.0);
    bar.setWidth(bar.width() * std::min(1.0, (m_progress.furthest + 1.0) / m_lesson.steps));
    painter.setBrush(m_style.accent);
    painter.drawRoundedRect(bar, kBar / 2.0, kBar / 2.0);
}

void LessonNode::enterEvent(QEnterEvent *event) {
    QAbstractButton::enterEvent(event);
    update();
}

void LessonNode::leaveEvent(QEvent *event) {
    QAbstractButton::leaveEvent(event);
    update();
}

} // namespace headlight::ui
