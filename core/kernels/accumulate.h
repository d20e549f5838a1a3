#pragma once

namespace headlight::core {

/// Whether results replace the output's values or are added to them.
enum class Accumulate { Replace, Add };

} // namespace headlight::core
