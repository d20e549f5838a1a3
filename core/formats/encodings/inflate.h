// Compressed data (zlib, RFC 1950) inside other files, within a limit: a few bytes can stand for
// any amount.
#pragma once

#include "core/result.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

namespace headlight::core {

/// Errors: the data is broken, ends early, or holds more than `limit` bytes; "cancelled".
Result<std::string> inflated(std::string_view data, std::size_t limit, std::stop_token stop = {});

std::string deflated(std::string_view text);

/// CRC-32 as PNG uses it (ISO 3309).
std::uint32_t crcOf(std::string_view bytes);

} // namespace headlight::core
