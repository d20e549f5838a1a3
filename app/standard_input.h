// Text from standard input, piped or typed until Ctrl-D.
#pragma once

#include "app/arguments.h"
#include "core/result.h"

#include <stop_token>
#include <string>

namespace headlight::app {

/// Reads standard input to its end. Errors: a text that is too long; system errors; "cancelled"
/// once `stop` is requested, even if no input arrives.
core::Result<std::string> readStandardInput(const std::stop_token &stop);

/// Replaces `--text -` with standard input, without the final line break. Errors: reading fails,
/// invalid UTF-8.
core::Result<Arguments> withStandardInput(Arguments arguments, const std::stop_token &stop);

} // namespace headlight::app
