// The options of the command line that choose something for a view.
#pragma once

#include "ui/figures/table/view_choices.h"

namespace headlight::app {

class OptionReader;

/// Throws Malformed.
ui::ViewChoices readChoices(const OptionReader &reader);

} // namespace headlight::app
