// Docks behind the tab of another one. Qt keeps their controls in the focus chain, but outside the
// window.
#pragma once

class QWidget;

namespace headlight::ui {

/// True if the widget is in a dock behind the tab of another one.
bool isInDockBehind(const QWidget &widget);

} // namespace headlight::ui
