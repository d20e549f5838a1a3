// Vocabularies stored as lists, with the rules of their families.
#pragma once

#include "core/tokenizers/pipeline.h"

#include <optional>

namespace headlight::core {

/// Settings in config.json and tokenizer_config.json; defaults if these files are missing.
struct TokenizerSettings {
    std::optional<Index> beginning, end; ///< bos_token_id, eos_token_id of config.json
    bool isEncoderDecoder = false;
    bool lowers = true;       ///< do_lower_case
    bool partsChinese = true; ///< tokenize_chinese_chars
    std::optional<bool> stripsAccents;
    bool prependsSpace = false;      ///< add_prefix_space
    bool isQwen2 = false;            ///< applies merges within words of its own expression
    std::vector<AddedToken> added{}; ///< added_tokens_decoder
};

/// Adds `declared`, the tokens of the settings, to `tokens`. They replace tokens with the same ids.
std::vector<AddedToken> withDeclared(std::vector<AddedToken> tokens,
                                     const std::vector<AddedToken> &declared);

/// Reads the two files of GPT-2, RoBERTa and BART: `json` is {"text": id, …}; `merges` has one
/// merge per line, after an optional "#version" line. Finds <|endoftext|>, <s>, … in texts if the
/// vocabulary has them, and puts <s> and </s> around a text.
Result<TokenizerPointer> readVocabularyAndMerges(std::string_view json, std::string_view merges,
                                                 const TokenizerSettings &settings,
                                                 std::stop_token stop = {});

/// Reads BERT's vocab.txt: one token per line; the id is the line number from 0.
Result<TokenizerPointer> readBertVocabulary(std::string_view lines,
                                            const TokenizerSettings &settings,
                                            std::stop_token stop = {});

/// Reads one token per line. The tokens of a text are the matches of the expression; [CLS] and
/// [SEP] are put around them.
Result<TokenizerPointer> readVocabularyByExpression(std::string_view lines,
                                                    std::string_view expression,
                                                    std::stop_token stop = {});

/// Reads ["text", …], where the index is the id, or {"text": id, …}.
Result<TokenList> readTokenList(std::string_view json, std::stop_token stop = {});

/// Reads such a list as a tokenizer. If all tokens except those in < > are single characters, it
/// splits a text into characters, otherwise at white space.
Result<TokenizerPointer> readTokenListJson(std::string_view json, const TokenizerSettings &settings,
                                           std::stop_token stop = {});

} // namespace headlight::core
