// Docks behind the tab of another dock. Qt keeps their controls in the focus chain, although they
// are outside the window.
#pragma once

class QMainWindow;
class QWidget;

namespace headlight::ui {

/// True if the widget is in a dock behind the tab of another dock.
bool isInDockBehind(const QWidget &widget);

/// After the layout, moves the focus to `next` if a tab bar of docks has it and the docks are
/// hidden or too narrow for that bar, because Qt keeps such a bar outside the window.
void leaveTabsOutside(QMainWindow &window, QWidget &next);

} // namespace headlight::ui
