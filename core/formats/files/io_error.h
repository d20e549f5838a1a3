// System errors of reading and writing files, as messages with a remedy.
#pragma once

#include "core/in_quotes.h"
#include "core/result.h"

#include <string>
#include <string_view>

namespace headlight::core {

/// `action` is a text such as "it cannot be written"; `code` is errno.
Error ioError(int code, const char *action, const std::string &path);

} // namespace headlight::core
