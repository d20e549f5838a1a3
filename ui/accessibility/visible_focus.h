// Scrolls the widget with the focus into view.
#pragma once

namespace headlight::ui {

/// Keeps the widget with the focus visible in every scroll area of the application, and a cell's
/// editor in its table. Qt does so only if the focus moves within one area. It does not if the
/// focus enters from outside, or if the layout changes, for example to larger text. Later calls
/// have no effect.
void keepFocusVisible();

} // namespace headlight::ui
