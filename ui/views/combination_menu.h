// The menu that sets the large picture of the Heads view: a head, or a combination of heads.
#pragma once

#include <QString>

class QMenu;

namespace headlight::ui {

class HeadsView;

/// Fills the menu with the choices of the view. Choosing one shows the view if it is hidden.
void fillCombinationMenu(QMenu &menu, HeadsView &view);

/// Returns the text of the menu's button: "one head", "mean of heads 1, 4".
QString combinationText(const HeadsView &view);

} // namespace headlight::ui
