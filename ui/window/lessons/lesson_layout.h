// Layout of the lesson map: each lesson is to the right of its prerequisites.
#pragma once

#include "ui/document/open_course.h"

#include <QPoint>

namespace headlight::ui {

struct LessonMapPosition {
    LessonInfo lesson;
    QPoint cell;           ///< column and row, counted from 0
    QList<qsizetype> from; ///< indices of the lesson's prerequisites in the list of lessons
};

/// Returns the positions in the order of the lessons. Leaves out prerequisites that are unknown or
/// come later in the list.
QList<LessonMapPosition> placesOf(const QList<LessonInfo> &lessons);

/// Returns a course's lessons. Their prerequisites are sources instead of file names, because the
/// lessons' ids are sources.
QList<LessonInfo> lessonsOnMap(const OpenCourse &course);

} // namespace headlight::ui
