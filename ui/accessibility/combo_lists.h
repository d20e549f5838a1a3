// Names the popup lists of combo boxes for screen readers, and widens them to fit their items.
#pragma once

namespace headlight::ui {

/// Names and widens the lists of all combo boxes in the program. Later calls have no effect.
void nameComboLists();

} // namespace headlight::ui
