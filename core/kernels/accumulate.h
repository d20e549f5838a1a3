#pragma once

namespace headlight::core {

/// Specifies whether results replace the output's values or are added to them.
enum class Accumulate { Replace, Add };

} // namespace headlight::core
