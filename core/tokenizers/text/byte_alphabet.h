// GPT-2's byte alphabet: maps each of the 256 bytes to a distinct visible character, so that a
// vocabulary of arbitrary bytes can be stored as text (github.com/openai/gpt-2, encoder.py).
#pragma once

#include <optional>
#include <string>

namespace headlight::core {

/// Maps "A" to itself, a space to "Ġ" and a newline to "Ċ".
const std::string &characterOfByte(unsigned char byte);
/// The inverse. Returns nullopt for a character outside the alphabet.
std::optional<unsigned char> byteOfCharacter(char32_t character);

} // namespace headlight::core
