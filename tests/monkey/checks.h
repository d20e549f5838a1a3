// Conditions that every window must meet at all times. Each check returns the problem, or an empty
// string.
#pragma once

#include "ui/window/main_window.h"

namespace headlight::test {

/// The displayed trace equals a fresh computation from the state, bit for bit.
QString traceIsOfItsState(const ui::Document &document);
/// The selection refers only to existing items.
QString selectionIsThere(const ui::Document &document);
/// The saved document reads back the same, and saving it again gives the same file.
QString isReadAsItIsSaved(ui::MainWindow &window, const QString &folder);
/// Undoing everything gives the opened state, and redoing everything gives the current one.
QString undoneAndDoneAgain(ui::Document &document, const ui::DocumentState &opened);
/// The process's memory stays within a fixed limit.
QString memoryIsBounded();
/// Returns the memory in use, in megabytes.
qint64 memoryUsed();

} // namespace headlight::test
