// Identifies large files without reading all of them.
#pragma once

#include "core/result.h"

#include <stop_token>
#include <string>

namespace headlight::core {

/// Returns the size and CRC-32: "1048576-1c291ca3". Above 16 MB, uses 256 evenly spaced pieces of
/// 64 KB, including the first and the last; changes between them go unnoticed. Errors: see
/// openRegularFile(); "cancelled".
Result<std::string> fingerprintOf(const std::string &path, const std::stop_token &stop = {});

} // namespace headlight::core
