// An action in words.
#pragma once

#include <QString>

class QAction;

namespace headlight::ui {

/// Its text without the marks of its mnemonic.
QString plainText(const QAction &action);
/// Its keys as they stand on this system's keyboards: "Ctrl+Z", "[ or Ctrl+Up".
QString keysText(const QAction &action);
/// Both, for a tool tip: "Undo (Ctrl+Z)".
QString toolTipOf(const QAction &action);

} // namespace headlight::ui
