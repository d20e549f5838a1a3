// The list that a combo box opens is called what the box is called, and has room for its words.
#pragma once

namespace headlight::ui {

/// For every combo box of the program, from now on. A second call does nothing.
void nameComboLists();

} // namespace headlight::ui
