// Buttons for the tracks through the lessons, above the lesson map.
#pragma once

#include "ui/document/lesson_tracks.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace headlight::ui {

/// A button for each track, and a button that continues the chosen track. Saves the choice.
class TrackBar : public QWidget {
    Q_OBJECT
  public:
    explicit TrackBar(QWidget *parent = nullptr);

    /// Returns the chosen track. Null if all lessons are shown.
    const LessonTrack *track() const { return m_track; }
    /// Returns the first lesson of the track that was not read to the end, or the track's first
    /// lesson if all were. Empty without a track.
    QString nextLesson() const;

  signals:
    /// Another track was chosen, or none.
    void trackChanged();
    /// The user continues the track.
    void continued(const QString &lesson);

  private:
    void choose(const LessonTrack *track);
    void showTrack();

    const LessonTrack *m_track;
    QList<QPushButton *> m_buttons; // in the order of lessonTracks()
    QLabel *m_summary;
    QPushButton *m_continue;
};

} // namespace headlight::ui
