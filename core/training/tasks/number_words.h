// Number words in English and French.
#pragma once

#include "core/tensor/matrix.h"

#include <string>
#include <vector>

namespace headlight::core {

/// Returns the words of 0 … 999 in American English: "two", "hundred", "one".
std::vector<std::string> englishNumber(Index number);
/// Returns the words of 0 … 999 in the French of France, in traditional spelling without hyphens:
/// "quatre", "vingt", "dix", "neuf"; "vingt", "et", "un"; "quatre", "vingts"; "deux", "cents".
std::vector<std::string> frenchNumber(Index number);

} // namespace headlight::core
