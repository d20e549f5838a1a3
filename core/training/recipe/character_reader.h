// Texts into their characters, for models that learned from the characters of a text.
#pragma once

#include "core/transformer/model/text_reader.h"
#include "core/transformer/model/vocabulary.h"

#include <functional>
#include <string>
#include <string_view>

namespace headlight::core {

/// A character as the vocabulary has it, so that it is seen: "␣" for a space, "↵" for the end of a
/// line. All others stand for themselves.
std::string_view shownCharacter(std::string_view character);

/// Calls `take` with each character (a code point) of valid UTF-8, and where it begins. Leaves out
/// what only begins a file or, before the end of a line, belongs to it: U+FEFF and "\r".
void forEachCharacter(std::string_view text,
                      const std::function<void(std::string_view, std::size_t)> &take);

/// Of a model whose words are characters.
TextReaderPointer characterReader(VocabularyPointer vocabulary);

} // namespace headlight::core
