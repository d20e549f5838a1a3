#pragma once

namespace headlight::core {

/// Whether results replace what the output holds or are added to it.
enum class Accumulate { Replace, Add };

} // namespace headlight::core
