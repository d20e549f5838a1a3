// What the system says when a file cannot be read or written, in words that a person can act on.
#pragma once

#include "core/in_quotes.h"
#include "core/result.h"

#include <string>
#include <string_view>

namespace headlight::core {

/// `action` as in "it cannot be written"; `code` is the value of errno.
Error ioError(int code, const char *action, const std::string &path);

} // namespace headlight::core
