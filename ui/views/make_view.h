// The views that are tabs: their widgets and their keys.
#pragma once

#include "ui/views/figure_view.h"

#include <QKeySequence>

namespace headlight::ui {

/// Returns null if the view is not a tab.
FigureView *makeView(core::View view, Document &document);

/// Returns Alt+1 to Alt+9, and Alt+0 for the tenth tab. Later tabs have no key.
QKeySequence keyOfTab(int index);

} // namespace headlight::ui
