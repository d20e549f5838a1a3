// What must be true of a window whatever was done to it. Each returns what is wrong, or nothing.
#pragma once

#include "ui/window/main_window.h"

namespace headlight::test {

/// The numbers that are shown are those of the state, computed from the start, to the last bit.
QString traceIsOfItsState(const ui::Document &document);
/// Nothing is selected that is not there.
QString selectionIsThere(const ui::Document &document);
/// What would be saved now is read back as it is, and would be saved the same again.
QString isReadAsItIsSaved(ui::MainWindow &window, const QString &folder);
/// Everything undone is what was opened, and everything done again is what there was.
QString undoneAndDoneAgain(ui::Document &document, const ui::DocumentState &opened);
/// The program has not grown beyond any reason.
QString memoryIsBounded();
/// Megabytes in use.
qint64 memoryUsed();

} // namespace headlight::test
