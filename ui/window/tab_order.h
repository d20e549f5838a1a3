// The order in which Tab goes through the window.
#pragma once

#include <QList>

class QWidget;

namespace headlight::ui {

/// Tab goes through the regions in this order, and within each through its controls: those of a
/// tool bar from left to right, those of anything else in the order in which they were made.
void orderTabs(const QList<QWidget *> &regions);

} // namespace headlight::ui
