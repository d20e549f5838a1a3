// Where a figure's text lies in the three kinds of files. Each reader is bounded, and takes only
// what Headlight writes. Throws Cancelled once `stop` is requested.
#pragma once

#include "core/result.h"

#include <stop_token>
#include <string>
#include <string_view>

namespace headlight::core {

Result<std::string> textInPng(std::string_view png, const std::stop_token &stop);
Result<std::string> textInSvg(std::string_view svg, const std::stop_token &stop);
Result<std::string> textInPdf(std::string_view pdf, const std::stop_token &stop);

/// What all three say where there is none.
Error carriesNothing();

} // namespace headlight::core
