// Reads texts with the tokenizer of a folder.
#pragma once

#include "core/tokenizers/tokenizer.h"
#include "core/transformer/model/text_reader.h"
#include "core/transformer/model/vocabulary.h"

#include <optional>
#include <string>

namespace headlight::core {

/// The tokenizer and vocabularies of one stack.
struct StackTexts {
    Result<TokenizerPointer> tokenizer; ///< or the error for every text
    VocabularyPointer words;            ///< the tokenizer's vocabulary, in readable form
    VocabularyPointer known;            ///< the vocabulary that looks up tokens; usually the same
    Index tokenTypes = 0;               ///< number of token types of the model
};

struct FolderTexts {
    std::string folder; ///< name of the folder, for errors
    StackTexts main;    ///< the main stack or the encoder
    StackTexts decoder;
    std::vector<Index> decoderStart; ///< token ids at the start of every decoder text
};

/// Returns a reader of texts. A decoder's text is the generated text so far: the start tokens, then
/// the text without an end token. A text that contains the tokenizer's separator, such as [SEP], is
/// a pair if the model has token types, even just one, as in XLM-R.
TextReaderPointer makeTextReader(FolderTexts texts);

} // namespace headlight::core
