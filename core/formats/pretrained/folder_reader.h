// Texts by a folder's own tokenizer.
#pragma once

#include "core/tokenizers/tokenizer.h"
#include "core/transformer/model/text_reader.h"
#include "core/transformer/model/vocabulary.h"

#include <optional>
#include <string>

namespace headlight::core {

/// How the texts of one stack are read.
struct StackTexts {
    Result<TokenizerPointer> tokenizer; ///< or why there is none: each text is this error then
    VocabularyPointer words;            ///< the tokenizer's, as a person reads them
    VocabularyPointer known;            ///< in which the model looks its tokens up; mostly the same
    Index tokenTypes = 0;               ///< how many the model tells apart
};

struct FolderTexts {
    std::string folder; ///< for errors
    StackTexts main;    ///< of the only stack, or the encoder
    StackTexts decoder;
    std::vector<Index> decoderStart; ///< what every text of a decoder begins with
};

/// A decoder's text is what it has written so far: its first tokens, then the text without an end.
/// A text with the tokenizer's separator in it, such as [SEP], is a pair of texts where the model
/// tells two types of tokens apart.
TextReaderPointer makeTextReader(FolderTexts texts);

} // namespace headlight::core
