// User-visible text about captures: why they cannot be edited or played.
#pragma once

#include <QString>

namespace headlight::ui {

/// Explains why edits and computations are unavailable.
QString whyNothingIsChanged();
/// Explains why playing through the computation is unavailable.
QString whyNothingIsPlayed();

} // namespace headlight::ui
