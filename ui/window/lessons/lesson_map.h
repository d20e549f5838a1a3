// The map of the lessons: what each builds on, how long it takes, and where one left off.
#pragma once

#include "ui/document/open_course.h"
#include "ui/figures/base/style.h"
#include "ui/window/lessons/lesson_layout.h"

#include <QDialog>
#include <QPainterPath>

class QScrollArea;

namespace headlight::ui {

class LessonNode;

/// The lessons as cards with lines from those that they need. Arrows go from card to card, Home and
/// End to the first and the last lesson.
class LessonMapArea : public QWidget {
    Q_OBJECT
  public:
    LessonMapArea(const FigureStyle &style, const QList<LessonInfo> &lessons,
                  QWidget *parent = nullptr);

    const QList<LessonNode *> &nodes() const { return m_nodes; }
    /// Of each lesson those from the lessons that it needs, in their order.
    QList<QPainterPath> lines() const;
    QSize sizeHint() const override;

  signals:
    void chosen(const QString &lesson, int step);
    /// By keys; it may lie outside what is in sight.
    void reached(QWidget *node);

  protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

  private:
    void place();
    void goTo(LessonNode *node);

    FigureStyle m_style;
    QList<LessonMapPosition> m_places;
    QList<LessonNode *> m_nodes; // as the places
};

class LessonMap : public QDialog {
    Q_OBJECT
  public:
    /// `course`: null for the built-in lessons. `open`: the source of the lesson that is open.
    LessonMap(const FigureStyle &style, const OpenCoursePointer &course, const QString &open,
              QWidget *parent);

  signals:
    /// Goes on where one left off, or begins.
    void chosen(const QString &lesson, int step);

  private:
    LessonMapArea *m_area;
};

} // namespace headlight::ui
