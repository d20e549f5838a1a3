// Base64 (RFC 4648, section 4), as session files hold large matrices.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Little-endian 32-bit floats; `count` of them exactly, else nothing. No white space, padding as
/// the RFC asks for.
std::optional<std::vector<float>> floatsFromBase64(std::string_view text, std::size_t count);

/// Bytes of any number, by the same rules.
std::optional<std::string> bytesFromBase64(std::string_view text);

/// The other direction.
std::string base64Of(std::span<const float> floats);

} // namespace headlight::core
