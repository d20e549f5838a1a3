// Factory of the widget of each view that is a tab.
#pragma once

#include "ui/views/figure_view.h"

namespace headlight::ui {

/// Returns null if the view is not a tab.
FigureView *makeView(core::View view, Document &document);

} // namespace headlight::ui
