// Tab order of the window.
#pragma once

#include <QList>

class QWidget;

namespace headlight::ui {

/// Sets the tab order: regions in the given order, within a tool bar from left to right, within
/// other regions in the order of creation.
void orderTabs(const QList<QWidget *> &regions);

} // namespace headlight::ui
