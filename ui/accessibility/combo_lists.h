// Accessible names for the popup lists of combo boxes, which are also widened to fit their items.
#pragma once

namespace headlight::ui {

/// Applies to every combo box of the program from now on. A second call does nothing.
void nameComboLists();

} // namespace headlight::ui
