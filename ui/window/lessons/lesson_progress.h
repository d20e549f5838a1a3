// How far a person has come in each built-in lesson and in those of courses, remembered from one
// start to the next. No score: only where they left off, so that they can go on there.
#pragma once

#include <QString>

namespace headlight::ui {

struct LessonProgress {
    int step = 0;      ///< that was shown last, from 0
    int furthest = -1; ///< the last one that was ever shown; −1: the lesson was never opened
    bool isDone(int steps) const { return furthest >= 0 && furthest + 1 >= steps; }
    bool wasOpened() const { return furthest >= 0; }
};

/// `lesson`: its id or, of a course, its source.
LessonProgress progressOf(const QString &lesson);
/// The lesson's step is shown.
void rememberStep(const QString &lesson, int step);

} // namespace headlight::ui
