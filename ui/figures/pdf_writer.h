// A PDF whose bytes depend on nothing but what is painted: Qt writes the hour and a random number
// into its files.
#pragma once

#include <QByteArray>

namespace headlight::ui {

/// The same PDF with a fixed date and identifier. Everything keeps its length, so the file's
/// offsets stay true.
QByteArray withoutChance(QByteArray pdf);

} // namespace headlight::ui
