// Base64 (RFC 4648, section 4), which session files use for large matrices.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Decodes exactly `count` little-endian 32-bit floats, or returns nullopt. Accepts no white space
/// and requires padding, as the RFC does.
std::optional<std::vector<float>> floatsFromBase64(std::string_view text, std::size_t count);

/// Decodes any number of bytes. Follows the rules of floatsFromBase64().
std::optional<std::string> bytesFromBase64(std::string_view text);

/// Encodes little-endian 32-bit floats, or 16-bit numbers.
std::string base64Of(std::span<const float> floats);
std::string base64Of(std::span<const std::uint16_t> numbers);

} // namespace headlight::core
