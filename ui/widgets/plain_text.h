// Shows text from files and users literally. Qt interprets text that looks like HTML in tooltips
// and labels, and & in menus and on buttons as a mnemonic.
#pragma once

#include <QString>

namespace headlight::ui {

/// Makes every tooltip, label and message box show its text literally, unless it uses
/// setTextFormat(Qt::RichText). Call this before any of them exist. A second call does nothing.
void showTextAsItIs();

/// Escapes each & in the text of a menu entry or button.
QString withAmpersands(QString text);

} // namespace headlight::ui
