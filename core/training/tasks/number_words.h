// The words for numbers in English and French.
#pragma once

#include "core/tensor/matrix.h"

#include <string>
#include <vector>

namespace headlight::core {

/// Returns the words for 0 … 999 in American English, such as "two", "hundred", "one".
std::vector<std::string> englishNumber(Index number);
/// Returns the words for 0 … 999 in the French of France, in traditional spelling without hyphens,
/// such as "quatre", "vingt", "dix", "neuf"; "vingt", "et", "un"; "quatre", "vingts"; "deux",
/// "cents".
std::vector<std::string> frenchNumber(Index number);

} // namespace headlight::core
