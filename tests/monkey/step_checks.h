// What must be true after each single step, and can be looked at quickly. Each returns what is
// wrong, or nothing.
#pragma once

#include "ui/window/main_window.h"

namespace headlight::test {

/// Nothing that a person reads, sees painted or has read aloud says NaN where a number belongs.
QString noNumberIsNan();
/// Once nothing is computed or read: the text in the field, the state and the picture are of the
/// same tokens.
QString textIsOfThePicture(ui::MainWindow &window);
/// In the window that has the keyboard something has the focus, and can be seen.
QString focusIsVisible();
/// What is shown of a file that was changed meanwhile is marked as out of date.
QString changedFileIsTold(ui::MainWindow &window);
/// The files that the document was opened from are as they were then, as far as can be told.
bool filesAreAsOpened(const ui::Document &document);

} // namespace headlight::test
