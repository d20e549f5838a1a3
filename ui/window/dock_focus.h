// Docks behind the tab of another dock. Qt keeps their controls in the focus chain, although they
// are outside the window.
#pragma once

class QMainWindow;
class QWidget;

namespace headlight::ui {

/// True if the widget is in a dock behind the tab of another dock.
bool isInDockBehind(const QWidget &widget);

/// After the layout, moves the focus to `next` if a dock tab bar outside the window has the focus.
/// Qt places the bar there while its docks are hidden or too narrow for it.
void leaveTabsOutside(QMainWindow &window, QWidget &next);

} // namespace headlight::ui
