// Compressed data (zlib, RFC 1950, or raw deflate, RFC 1951) inside other files. Limits the output,
// because a few bytes can expand to any size.
#pragma once

#include "core/result.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

namespace headlight::core {

enum class CompressionHeader { Zlib, Bare };

/// Decompresses the data. Errors: it is damaged, incomplete, or expands to more than `limit` bytes;
/// "cancelled".
Result<std::string> inflated(std::string_view data, std::size_t limit, std::stop_token stop = {},
                             CompressionHeader wrapping = CompressionHeader::Zlib);

std::string deflated(std::string_view text, CompressionHeader wrapping = CompressionHeader::Zlib);

/// Returns a CRC-32 as in PNG (ISO 3309). `before`: the CRC of the preceding bytes.
std::uint32_t crcOf(std::string_view bytes, std::uint32_t before = 0);

} // namespace headlight::core
