// Bounded reading of JSON (RFC 8259).
#pragma once

#include "core/cancelled.h"
#include "core/formats/json/value.h"
#include "core/in_quotes.h"
#include "core/result.h"

namespace headlight::core {

inline constexpr std::size_t kMaximumJsonDepth = 64;
inline constexpr std::size_t kMaximumJsonValues = 4'000'000;

/// Reads exactly one document. Refused, with line and column: what is not JSON or not UTF-8,
/// anything after the document, a name said twice in one object, a number beyond the range of
/// double, nesting deeper than kMaximumJsonDepth and more than kMaximumJsonValues values. Lines and
/// columns count from 1, columns in characters. "cancelled" once `stop` is requested.
Result<JsonValue> readJson(std::string_view text, std::stop_token stop = {});

} // namespace headlight::core
