// Identifies large files without reading them completely.
#pragma once

#include "core/result.h"

#include <stop_token>
#include <string>

namespace headlight::core {

/// Returns the size and CRC-32: "1048576-1c291ca3". Above 16 MB, only 256 evenly spaced pieces of
/// 64 KB are read, including the first and the last, so changes between them are not detected.
/// Errors: see openRegularFile(); "cancelled".
Result<std::string> fingerprintOf(const std::string &path, const std::stop_token &stop = {});

} // namespace headlight::core
