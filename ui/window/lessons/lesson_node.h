// Card of a lesson on the map, as a button.
#pragma once

#include "ui/document/lesson_catalogue.h"
#include "ui/figures/base/style.h"
#include "ui/window/lessons/lesson_progress.h"

#include <QAbstractButton>

namespace headlight::ui {

class LessonNode : public QAbstractButton {
    Q_OBJECT
  public:
    LessonNode(const LessonInfo &lesson, int number, const FigureStyle &style, QWidget *parent);

    const LessonInfo &lesson() const { return m_lesson; }
    /// Returns the step that a click opens: the step shown last, or the first step of a finished or
    /// new lesson.
    int nextStep() const;
    /// Marks the lesson that the user read last.
    void setHere(bool isHere);
    bool isHere() const { return m_isHere; }
    /// Fades a lesson that is not on the chosen track. It can still be opened.
    void setOnTrack(bool isOnTrack);
    bool isOnTrack() const { return m_isOnTrack; }
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;

  private:
    QString stateText() const;
    QRect titleRect() const;

    LessonInfo m_lesson;
    FigureStyle m_style;
    LessonProgress m_progress;
    bool m_isHere = false, m_isOnTrack = true;
};

} // namespace headlight::ui
