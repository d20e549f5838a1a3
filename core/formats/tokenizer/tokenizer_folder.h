// Reads the tokenizer in a pretrained model's folder, or in a single file.
#pragma once

#include "core/tokenizers/tokenizer.h"

#include <optional>

namespace headlight::core {

struct TokenizerSource {
    std::string path; ///< a folder or a file
    /// A regular expression that matches the tokens of a text, for a vocabulary without a
    /// tokenizer, such as one for SMILES.
    std::optional<std::string> expression;
};

/// Reads the first of these files that exists: tokenizer.json; vocab.json with merges.txt (GPT-2,
/// RoBERTa, CLIP), with source.spm and target.spm (Marian) or with sentencepiece.bpe.model
/// (M2M-100); vocab.txt (BERT, or the tokens of `expression` if it is set); a SentencePiece model
/// (spiece.model, tokenizer.model, sentencepiece.bpe.model, spm.model); a list of words or
/// characters (vocabulary.json, source_vocab.json). Uses the settings in config.json and
/// tokenizer_config.json. Errors name the file; "cancelled" once `stop` is requested.
Result<TokenizerPointer> readTokenizer(const TokenizerSource &source, std::stop_token stop = {});

} // namespace headlight::core
