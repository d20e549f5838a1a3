#include "ui/window/lessons/track_bar.h"

#include "ui/text/sentences.h"
#include "ui/widgets/plain_text.h"
#include "ui/window/lessons/lesson_progress.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>

namespace headlight::ui {

namespace {

constexpr const char *kTrackSetting = "lessons/track";

const LessonInfo *infoOfLesson(const QString &id) {
    for (const LessonInfo &lesson : lessonInfos())
        if (lesson.id == id)
            return &lesson;
    return nullptr;
}

} // namespace

TrackBar::TrackBar(QWidget *parent)
    : QWidget(parent),
      m_track(trackOf(QSettings().value(kTrackSetting).toString())),
      m_summary(new QLabel),
      m_continue(new QPushButton) {
    setObjectName("lessonTracks");
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    for (const LessonTrack &track : lessonTracks()) {
        auto *button = new QPushButton(track.name);
        button->setObjectName("lessonTrack-" + track.id);
        button->setAccessibleName(track.name);
        button->setAccessibleDescription(track.summary);
        button->setToolTip(tr("%1 Click again to show all lessons").arg(track.summary));
        button->setCheckable(true);
        button->setAutoDefault(false); // Enter belongs to the focused card
        connect(button, &QPushButton::clicked, this,
                [this, at = &track] { choose(m_track == at ? nullptr : at); });
        m_buttons << button;
        row->addWidget(button);
    }
    row->addStretch(1);
    m_continue->setObjectName("lessonTrackContinue");
    m_continue->setAutoDefault(false);
    connect(m_continue, &QPushButton::clicked, this, [this] { emit continued(nextLesson()); });
    row->addWidget(m_continue);
    m_summary->setObjectName("lessonTrackSummary");
    m_summary->setWordWrap(true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(row);
    layout->addWidget(m_summary);
    showTrack();
}

QString TrackBar::nextLesson() const {
    if (!m_track)
        return {};
    for (const QString &id : m_track->lessons)
        if (const LessonInfo *lesson = infoOfLesson(id);
            lesson && !progressOf(id).isDone(lesson->steps))
            return id;
    return m_track->lessons.value(0);
}

void TrackBar::choose(const LessonTrack *track) {
    m_track = track;
    QSettings().setValue(kTrackSetting, track ? track->id : QString());
    showTrack();
    emit trackChanged();
}

void TrackBar::showTrack() {
    for (qsizetype at = 0; at < m_buttons.size(); ++at)
        m_buttons[at]->setChecked(m_track == &lessonTracks()[at]);
    const LessonInfo *const next = infoOfLesson(nextLesson());
    m_continue->setVisible(next != nullptr);
    if (!next) {
        m_summary->setText(tr("How much time do you have?"));
        return;
    }
    const QString title = tr("Continue: %1").arg(next->title);
    m_continue->setText(withAmpersands(title));
    m_continue->setAccessibleName(title);
    m_continue->setToolTip(next->summary);
    const int count = static_cast<int>(m_track->lessons.size());
    const QString size = count == 1 ? tr("1 lesson, about %1 min.")
                                    : tr("%n lessons, about %1 min.", nullptr, count);
    m_summary->setText(sentences({m_track->summary, size.arg(m_track->minutes)}));
}

} // namespace headlight::ui
