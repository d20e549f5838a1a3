// Options that choose something for a view.
#pragma once

#include "ui/figures/table/view_choices.h"

namespace headlight::app {

class OptionReader;

/// Throws OptionError.
ui::ViewChoices readChoices(const OptionReader &reader);

} // namespace headlight::app
