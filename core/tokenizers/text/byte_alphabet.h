// GPT-2's alphabet of bytes: each of the 256 as a visible character of its own, so that a
// vocabulary of any bytes can be written as text (github.com/openai/gpt-2, encoder.py).
#pragma once

#include <optional>
#include <string>

namespace headlight::core {

/// "A" is itself, a space "Ġ", an end of line "Ċ".
const std::string &characterOfByte(unsigned char byte);
/// The other way round; none of a character that stands for no byte.
std::optional<unsigned char> byteOfCharacter(char32_t character);

} // namespace headlight::core
