// Where the monkey can put its hand: windows, controls, points.
#pragma once

#include "tests/monkey/dice.h"

#include <QList>
#include <QPoint>
#include <QString>
#include <QWidget>

namespace headlight::test {

/// Where a person's mouse would reach something now; null: there is no window.
QWidget *target(Dice &dice);

/// What can be used in the window: buttons, lists, fields, tabs, sliders.
QList<QWidget *> controls(const QWidget &window);

/// Anywhere in the window, or in the figure, or on a control.
QPoint somewhere(QWidget &window, Dice &dice);

/// The point and what stands there, for the log.
QString nameOf(const QWidget &window, QPoint point);

} // namespace headlight::test
