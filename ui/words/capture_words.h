// What people read of a capture: what it is, and why it cannot be changed.
#pragma once

#include <QString>

namespace headlight::ui {

/// For what would change a number, or compute one.
QString whyNothingIsChanged();
/// For going through the computation by itself.
QString whyNothingIsPlayed();

} // namespace headlight::ui
