// SentencePiece's own models (github.com/google/sentencepiece), read and used by its library.
#pragma once

#include "core/tokenizers/tokenizer.h"

namespace headlight::core {

/// `model` is the file's bytes. Around a text: [CLS] and [SEP] where the model has both; else <s>
/// where `begins`, and </s> where `ends`.
struct SentencePieceSettings {
    bool begins = false;
    bool ends = false;
};
Result<TokenizerPointer> readSentencePiece(std::string_view model, SentencePieceSettings settings);

} // namespace headlight::core
