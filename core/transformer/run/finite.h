// Checks for NaN and infinity.
#pragma once

#include <span>
#include <stop_token>

namespace headlight::core {

/// True if there is no NaN or infinity, except −∞ if `mayHide`. Checks long lists in pieces. Throws
/// Cancelled after `stop` was requested.
bool allFinite(std::span<const float> numbers, bool mayHide, const std::stop_token &stop);

} // namespace headlight::core
