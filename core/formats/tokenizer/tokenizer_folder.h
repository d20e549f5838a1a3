// The tokenizer of a folder with a pretrained model, or of one of its files.
#pragma once

#include "core/tokenizers/tokenizer.h"

#include <optional>

namespace headlight::core {

struct TokenizerSource {
    std::string path; ///< a folder, or a file
    /// A regular expression whose matches are the words to look up, for a vocabulary that comes
    /// without its tokenizer, such as one of SMILES.
    std::optional<std::string> expression;
};

/// The first of these that is there: tokenizer.json; vocab.json with merges.txt (GPT-2, RoBERTa) or
/// with source.spm and target.spm (Marian); vocab.txt (BERT; with an expression, its words); a
/// SentencePiece model (spiece.model, tokenizer.model, sentencepiece.bpe.model); a list of words or
/// characters (vocabulary.json, source_vocab.json). What config.json and tokenizer_config.json say
/// about it is read as well. Errors name the file; "cancelled" once `stop` is requested.
Result<TokenizerPointer> readTokenizer(const TokenizerSource &source, std::stop_token stop = {});

} // namespace headlight::core
