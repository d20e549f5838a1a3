// Where the lessons stand on their map: each one to the right of all that it needs.
#pragma once

#include "ui/document/open_course.h"

#include <QPoint>

namespace headlight::ui {

struct LessonMapPosition {
    LessonInfo lesson;
    QPoint cell;           ///< column and row, from 0
    QList<qsizetype> from; ///< places in the list of those that it needs
};

/// In the order of the lessons. Of a circle of needs the one that closes it is left out, and so is
/// what is no lesson here.
QList<LessonMapPosition> placesOf(const QList<LessonInfo> &lessons);

/// A course's lessons, whose needs are named as they are themselves: by their sources.
QList<LessonInfo> lessonsOnMap(const OpenCourse &course);

} // namespace headlight::ui
