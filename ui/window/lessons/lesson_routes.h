// The lines of the map: from the lessons that one needs to it, between the cards and never behind
// one.
#pragma once

#include "ui/window/lessons/lesson_layout.h"

#include <QPainterPath>
#include <QRect>

namespace headlight::ui {

/// For each place and each that it needs, in their order. `cards`: where they stand, as the places,
/// those of a column beneath each other. `gap`: so much is free above and below a column too.
QList<QPainterPath> routesOf(const QList<LessonMapPosition> &places, const QList<QRect> &cards,
                             int gap);

} // namespace headlight::ui
