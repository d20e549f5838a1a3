// Where a figure's text lies in the three kinds of files. Each reader is bounded, and takes only
// what Headlight writes.
#pragma once

#include "core/result.h"

#include <string>
#include <string_view>

namespace headlight::core {

Result<std::string> textInPng(std::string_view png);
Result<std::string> textInSvg(std::string_view svg);
Result<std::string> textInPdf(std::string_view pdf);

/// What all three say where there is none.
Error carriesNothing();

} // namespace headlight::core
