// Recognises special tokens by their spelling, because captures have no vocabulary.
#pragma once

#include <string_view>

namespace headlight::core {

/// Removes the word marks of tokenizers: "Ġ", "▁", "##", and a space. A token that is only a mark
/// stays unchanged.
std::string_view withoutWordMarks(std::string_view token);

/// True for "[SEP]" and "</s>", but not for a byte such as "<0x0A>".
bool isWrittenAsSpecial(std::string_view token);

} // namespace headlight::core
