// Vocabularies that come as lists, and what their families do with them.
#pragma once

#include "core/tokenizers/pipeline.h"

#include <optional>

namespace headlight::core {

/// What is said beside a vocabulary, in config.json and tokenizer_config.json; nothing where these
/// are not there.
struct TokenizerSettings {
    std::optional<Index> beginning, end; ///< bos_token_id, eos_token_id of config.json
    bool isEncoderDecoder = false;
    bool lowers = true;       ///< do_lower_case
    bool partsChinese = true; ///< tokenize_chinese_chars
    std::optional<bool> stripsAccents;
    bool prependsSpace = false;      ///< add_prefix_space
    bool isQwen2 = false;            ///< its merges are within words of its own expression
    std::vector<AddedToken> added{}; ///< added_tokens_decoder
};

/// `tokens` with those that are said beside the vocabulary, instead of its own with their ids.
std::vector<AddedToken> withSaid(std::vector<AddedToken> tokens,
                                 const std::vector<AddedToken> &said);

/// GPT-2's two files, as RoBERTa and BART have them as well: `json` is {"text": id, …}, `merges`
/// one merge a line under an optional "#version" line. <|endoftext|>, <s>, … are found in texts
/// where the vocabulary has them; <s> and </s> are put around a text.
Result<TokenizerPointer> readVocabularyAndMerges(std::string_view json, std::string_view merges,
                                                 const TokenizerSettings &settings,
                                                 std::stop_token stop = {});

/// BERT's vocab.txt: one token a line, its id the line's number from 0.
Result<TokenizerPointer> readBertVocabulary(std::string_view lines,
                                            const TokenizerSettings &settings,
                                            std::stop_token stop = {});

/// The matches of an expression are the tokens, looked up in one token a line; [CLS] and [SEP] are
/// put around a text.
Result<TokenizerPointer> readVocabularyByExpression(std::string_view lines,
                                                    std::string_view expression,
                                                    std::stop_token stop = {});

/// ["text", …], whose places are the ids, or {"text": id, …}.
Result<TokenList> readTokenList(std::string_view json, std::stop_token stop = {});

/// The same as a tokenizer. Where all tokens but those in < > are one character, a text is
/// its characters; else its words between white space.
Result<TokenizerPointer> readTokenListJson(std::string_view json, const TokenizerSettings &settings,
                                           std::stop_token stop = {});

} // namespace headlight::core
