// Numbers as words.
#pragma once

#include "core/tensor/matrix.h"

#include <string>
#include <vector>

namespace headlight::core {

/// 0 to 999, as in America: "two", "hundred", "one".
std::vector<std::string> englishNumber(Index number);
/// 0 to 999 as in France, in the traditional spelling, without hyphens: "quatre", "vingt", "dix",
/// "neuf"; "vingt", "et", "un"; "quatre", "vingts"; "deux", "cents".
std::vector<std::string> frenchNumber(Index number);

} // namespace headlight::core
