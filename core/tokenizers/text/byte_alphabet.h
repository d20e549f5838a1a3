// GPT-2's byte alphabet: maps each of the 256 bytes to a distinct visible character, so that a
// vocabulary of arbitrary bytes can be stored as text (github.com/openai/gpt-2, encoder.py).
#pragma once

#include <optional>
#include <string>

namespace headlight::core {

/// Returns "A" for A, "Ġ" for a space and "Ċ" for a newline.
const std::string &characterOfByte(unsigned char byte);
/// Returns the byte of a character; nullopt if it is outside the alphabet.
std::optional<unsigned char> byteOfCharacter(char32_t character);

} // namespace headlight::core
