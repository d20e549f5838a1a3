// "Did you mean …": the known name that a mistyped one is nearest to.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headlight::core {

/// The candidate with the smallest edit distance (Levenshtein 1966, by bytes), the first of equals;
/// empty without candidates.
std::string closestName(std::string_view word, std::span<const std::string> candidates);

/// The same where it is like the word: where less than half of the longer one's bytes would have to
/// change; else empty.
std::string similarName(std::string_view word, std::span<const std::string> candidates);

} // namespace headlight::core
