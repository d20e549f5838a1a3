// Saved progress of the user in built-in and course lessons. It is not a score. It only lets the
// user continue.
#pragma once

#include <QString>

namespace headlight::ui {

struct LessonProgress {
    int step = 0;      ///< step shown last, counted from 0
    int furthest = -1; ///< highest step shown so far; −1: never opened
    bool isDone(int steps) const { return furthest >= 0 && furthest + 1 >= steps; }
    bool wasOpened() const { return furthest >= 0; }
};

/// `lesson`: its id, or the source of a course's lesson.
LessonProgress progressOf(const QString &lesson);
/// Returns the lesson whose step was shown last. Empty if none was.
QString lastLesson();
/// Saves that the step was shown.
void rememberStep(const QString &lesson, int step);

} // namespace headlight::ui
