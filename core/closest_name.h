// "Did you mean …": finds the known name closest to a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headlight::core {

/// Returns the first candidate with the smallest edit distance in bytes (Levenshtein 1966). Returns
/// an empty string if there are no candidates.
std::string closestName(std::string_view word, std::span<const std::string> candidates);

/// Like closestName(), but returns an empty string unless fewer than half of the longer name's
/// bytes differ.
std::string similarName(std::string_view word, std::span<const std::string> candidates);

} // namespace headlight::core
