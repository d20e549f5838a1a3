// Targets of the monkey: windows, controls, points.
#pragma once

#include "tests/monkey/dice.h"

#include <QList>
#include <QPoint>
#include <QString>
#include <QWidget>

namespace headlight::test {

/// Returns a window that the user's mouse can reach now. Null if there is none.
QWidget *target(Dice &dice);

/// Returns the window's usable controls: buttons, lists, fields, tabs, sliders.
QList<QWidget *> controls(const QWidget &window);

/// Returns a point anywhere in the window, in the figure, or on a control.
QPoint somewhere(QWidget &window, Dice &dice);

/// Describes the point and its widget, for the log.
QString nameOf(const QWidget &window, QPoint point);

} // namespace headlight::test
