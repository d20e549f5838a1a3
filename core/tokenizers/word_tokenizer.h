// Text into words, for any language: Unicode word boundaries (UAX #29, with ICU's dictionaries for
// scripts that write no spaces), punctuation a token of its own, white space none.
#pragma once

#include "core/result.h"
#include "core/tokenizers/text/token.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// What a batch is filled up with, and how a person writes it.
inline constexpr std::string_view kPadToken = "[PAD]";

inline constexpr std::size_t kMaximumTextBytes = 4 * 1024 * 1024;

/// The tokens in reading order, each with its place in the text. Invalid UTF-8 (the error says at
/// which byte), text without a single token and text longer than kMaximumTextBytes are errors.
/// "[PAD]", as Headlight writes padding, stays one token. "cancelled" once `stop` is requested.
Result<std::vector<Token>> splitIntoWords(std::string_view text, std::stop_token stop = {});

} // namespace headlight::core
