// Reads texts with a folder's own tokenizer.
#pragma once

#include "core/tokenizers/tokenizer.h"
#include "core/transformer/model/text_reader.h"
#include "core/transformer/model/vocabulary.h"

#include <optional>
#include <string>

namespace headlight::core {

/// How the texts of one stack are read.
struct StackTexts {
    Result<TokenizerPointer> tokenizer; ///< or the error that every text returns
    VocabularyPointer words;            ///< the tokenizer's vocabulary, as readable text
    VocabularyPointer known;            ///< the vocabulary for looking up tokens; usually the same
    Index tokenTypes = 0;               ///< number of token types of the model
};

struct FolderTexts {
    std::string folder; ///< for errors
    StackTexts main;    ///< the only stack or the encoder
    StackTexts decoder;
    std::vector<Index> decoderStart; ///< ids at the start of every decoder text
};

/// A decoder's text is what has been generated so far: the first tokens, then the text without an
/// end token. A text that contains the tokenizer's separator, such as [SEP], is a pair if the model
/// has token types, even if there is only one, as in XLM-R.
TextReaderPointer makeTextReader(FolderTexts texts);

} // namespace headlight::core
