// Texts by a folder's own tokenizer.
#pragma once

#include "core/tokenizers/tokenizer.h"
#include "core/transformer/model/text_reader.h"
#include "core/transformer/model/vocabulary.h"

#include <optional>
#include <string>

namespace headlight::core {

struct FolderTexts {
    std::string folder; ///< for errors
    /// Of the only stack's texts, or the encoder's, and the decoder's.
    TokenizerPointer tokenizer, targetTokenizer;
    VocabularyPointer words, targetWords;
    std::optional<Index> decoderStart;
};

/// Tokens are those of the vocabularies. A decoder's text is what it has written so far: its first
/// token, then the text without an end.
TextReaderPointer makeTextReader(FolderTexts texts);

} // namespace headlight::core
