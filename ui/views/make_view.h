// The widget of each view that is a tab.
#pragma once

#include "ui/views/figure_view.h"

namespace headlight::ui {

/// Null: the view is no tab.
FigureView *makeView(core::View view, Document &document);

} // namespace headlight::ui
