// Whether numbers are numbers.
#pragma once

#include <span>
#include <stop_token>

namespace headlight::core {

/// No NaN and nothing infinite but, where a mask may hide, its −∞. A long list is looked through
/// piece by piece; throws Cancelled once `stop` is requested.
bool allFinite(std::span<const float> numbers, bool mayHide, const std::stop_token &stop);

} // namespace headlight::core
