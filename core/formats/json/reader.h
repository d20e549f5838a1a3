// Bounded JSON reader (RFC 8259).
#pragma once

#include "core/cancelled.h"
#include "core/formats/json/value.h"
#include "core/in_quotes.h"
#include "core/result.h"

namespace headlight::core {

inline constexpr std::size_t kMaxJsonDepth = 64;
inline constexpr std::size_t kMaxJsonValues = 4'000'000;

/// Reads exactly one document. Errors, with line and column: invalid JSON or UTF-8, text after the
/// document, a duplicate name in an object, a number outside the range of double, nesting deeper
/// than kMaxJsonDepth, more than kMaxJsonValues values. Lines and columns count from 1,
/// columns in characters. "cancelled" once `stop` is requested.
Result<JsonValue> readJson(std::string_view text, std::stop_token stop = {});

} // namespace headlight::core
