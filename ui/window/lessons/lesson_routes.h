// Lines of the lesson map: from each prerequisite to its lesson, between the cards and never behind
// one.
#pragma once

#include "ui/window/lessons/lesson_layout.h"

#include <QPainterPath>
#include <QRect>

namespace headlight::ui {

/// Returns one line for each prerequisite of each position, in their order. `cards`: rectangles in
/// the order of `places`. `gap`: height of the free space above and below each column.
QList<QPainterPath> routesOf(const QList<LessonMapPosition> &places, const QList<QRect> &cards,
                             int gap);

} // namespace headlight::ui
