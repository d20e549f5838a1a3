// Reads and writes the text of a figure in the three file formats. Readers are bounded and accept
// only files that Headlight writes. They throw Cancelled once `stop` is requested.
#pragma once

#include "core/result.h"

#include <stop_token>
#include <string>
#include <string_view>

namespace headlight::core {

Result<std::string> textInPng(std::string_view png, const std::stop_token &stop);
Result<std::string> textInSvg(std::string_view svg, const std::stop_token &stop);
Result<std::string> textInPdf(std::string_view pdf, const std::stop_token &stop);

/// Returns the error that every reader reports for a file without a text.
Error carriesNothing();

} // namespace headlight::core
