// By what a large file is known again, without reading all of it.
#pragma once

#include "core/result.h"

#include <stop_token>
#include <string>

namespace headlight::core {

/// Its size, and the CRC-32 of its bytes: "1048576-1c291ca3". Of more than 16 MB, of 256 pieces of
/// 64 KB that lie evenly in it, the first and the last among them: who changes a few numbers
/// between them is not noticed. Errors: as openRegularFile(); "cancelled".
Result<std::string> fingerprintOf(const std::string &path, const std::stop_token &stop = {});

} // namespace headlight::core
