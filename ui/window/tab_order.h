// Tab order of the window.
#pragma once

#include <QList>

class QWidget;

namespace headlight::ui {

/// Sets the tab order: first by region, in the given order. Tool bars go from left to right, other
/// regions in order of creation.
void orderTabs(const QList<QWidget *> &regions);

} // namespace headlight::ui
