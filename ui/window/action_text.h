// An action's text and keys for labels and tooltips.
#pragma once

#include <QString>

class QAction;

namespace headlight::ui {

/// Returns the text without mnemonic marks.
QString plainText(const QAction &action);
/// Returns the keys in the notation of the system: "Ctrl+Z", "[ or Ctrl+Up".
QString keysText(const QAction &action);
/// Returns text and keys for a tooltip: "Undo (Ctrl+Z)".
QString toolTipOf(const QAction &action);

} // namespace headlight::ui
