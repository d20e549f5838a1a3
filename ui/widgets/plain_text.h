// Text from files and people is shown as it is. Qt takes text that looks like HTML for HTML, in
// tool tips and labels, and an & in menus and on buttons for the mark of a key.
#pragma once

#include <QString>

namespace headlight::ui {

/// From now on every tool tip, label and message box of the program shows its text as it is, unless
/// it was made for HTML with setTextFormat(Qt::RichText). To be called before there is any; a
/// second call does nothing.
void showTextAsItIs();

/// For the text of a menu's entry or of a button: each & is one.
QString withAmpersands(QString text);

} // namespace headlight::ui
