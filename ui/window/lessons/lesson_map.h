// Lesson map: prerequisites, durations, and progress.
#pragma once

#include "ui/document/lesson_tracks.h"
#include "ui/document/open_course.h"
#include "ui/figures/base/style.h"
#include "ui/window/lessons/lesson_layout.h"

#include <QDialog>
#include <QPainterPath>

class QScrollArea;

namespace headlight::ui {

class LessonNode;

/// Lessons as cards, with lines from their prerequisites. Arrow keys move between cards, Home and
/// End to the first and last lesson.
class LessonMapArea : public QWidget {
    Q_OBJECT
  public:
    LessonMapArea(const FigureStyle &style, const QList<LessonInfo> &lessons,
                  QWidget *parent = nullptr);

    const QList<LessonNode *> &nodes() const { return m_nodes; }
    /// Fades the lessons that are not on the track. Null: fades none.
    void showTrack(const LessonTrack *track);
    /// Returns the lines from each lesson's prerequisites, in the order of the lessons.
    QList<QPainterPath> lines() const;
    QSize sizeHint() const override;

  signals:
    void chosen(const QString &lesson, int step);
    /// A key moved the focus to a card, which may be outside the visible area.
    void reached(QWidget *node);

  protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

  private:
    void place();
    void goTo(LessonNode *node);

    FigureStyle m_style;
    QList<LessonMapPosition> m_places;
    QList<LessonNode *> m_nodes; // in the order of m_places
};

class LessonMap : public QDialog {
    Q_OBJECT
  public:
    /// `course`: null for the built-in lessons. `open`: source of the open lesson.
    LessonMap(const FigureStyle &style, const OpenCoursePointer &course, const QString &open,
              QWidget *parent);

  signals:
    /// The user chose a lesson, to be opened at `step`.
    void chosen(const QString &lesson, int step);

  private:
    void addTracks();

    LessonMapArea *m_area;
    QScrollArea *m_scroll;
};

} // namespace headlight::ui
