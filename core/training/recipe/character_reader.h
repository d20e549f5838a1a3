// Splits texts into characters, for models trained on characters.
#pragma once

#include "core/transformer/model/text_reader.h"
#include "core/transformer/model/vocabulary.h"

#include <functional>
#include <string>
#include <string_view>

namespace headlight::core {

/// Returns the vocabulary's visible form of a character: "␣" for a space, "↵" for a line break.
/// Other characters stay unchanged.
std::string_view shownCharacter(std::string_view character);

/// Calls `take` with each character (code point) of valid UTF-8 and its byte offset. Skips U+FEFF
/// at the start of a file and "\r" before a line break.
void forEachCharacter(std::string_view text,
                      const std::function<void(std::string_view, std::size_t)> &take);

/// Returns a reader for models with a vocabulary of characters.
TextReaderPointer characterReader(VocabularyPointer vocabulary);

} // namespace headlight::core
