// Compressed data (zlib, RFC 1950, or bare deflate, RFC 1951) inside other files, within a limit: a
// few bytes can stand for any amount.
#pragma once

#include "core/result.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

namespace headlight::core {

enum class CompressionHeader { Zlib, Bare };

/// Errors: the data is broken, ends early, or holds more than `limit` bytes; "cancelled".
Result<std::string> inflated(std::string_view data, std::size_t limit, std::stop_token stop = {},
                             CompressionHeader wrapping = CompressionHeader::Zlib);

std::string deflated(std::string_view text, CompressionHeader wrapping = CompressionHeader::Zlib);

/// CRC-32 as PNG uses it (ISO 3309); of `bytes` after others, whose CRC is `before`.
std::uint32_t crcOf(std::string_view bytes, std::uint32_t before = 0);

} // namespace headlight::core
