// Quick conditions that must hold after each action. Each check returns the problem, or an empty
// string.
#pragma once

#include "ui/window/main_window.h"

namespace headlight::test {

/// No displayed, painted or accessible text shows NaN in place of a number.
QString noNumberIsNan();
/// When nothing is being computed or read, the text field, the state and the figure have the same
/// tokens.
QString textIsOfThePicture(ui::MainWindow &window);
/// The active window has a focused widget, and it is visible.
QString focusIsVisible();
/// A figure of a changed file is marked as out of date.
QString changedFileIsTold(ui::MainWindow &window);
/// True if the files that the document was opened from are unchanged, as far as can be detected.
bool filesAreAsOpened(const ui::Document &document);

} // namespace headlight::test
