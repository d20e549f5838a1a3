// User-visible text about captures: why they cannot be edited or played.
#pragma once

#include <QString>

namespace headlight::ui {

/// Explains why edits and computations are unavailable.
QString readOnlyReason();
/// Explains why playing through the computation is unavailable.
QString playUnavailableReason();

} // namespace headlight::ui
