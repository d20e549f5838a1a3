// Splits text of any language into words at Unicode word boundaries (UAX #29, with ICU's
// dictionaries for scripts without spaces). Punctuation marks are separate tokens; white space is
// dropped.
#pragma once

#include "core/result.h"
#include "core/tokenizers/text/token.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// The padding token of a batch. Users can type it.
inline constexpr std::string_view kPadToken = "[PAD]";

inline constexpr std::size_t kMaxTextBytes = 4 * 1024 * 1024;

/// Returns the tokens in text order, each with its span. "[PAD]", Headlight's padding token, stays
/// one token. Errors: invalid UTF-8 (with the byte offset), a text without any token, a text longer
/// than kMaxTextBytes; "cancelled" once `stop` is requested.
Result<std::vector<Token>> splitIntoWords(std::string_view text, std::stop_token stop = {});

} // namespace headlight::core
