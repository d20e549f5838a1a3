// Reads vocabularies stored as lists, with the rules of their families.
#pragma once

#include "core/tokenizers/pipeline.h"

#include <optional>

namespace headlight::core {

/// Settings from config.json and tokenizer_config.json; defaults if these files are missing.
struct TokenizerSettings {
    std::optional<Index> beginning, end; ///< bos_token_id and eos_token_id
    bool isEncoderDecoder = false;
    bool lowers = true;       ///< do_lower_case
    bool partsChinese = true; ///< tokenize_chinese_chars
    std::optional<bool> stripsAccents;
    bool prependsSpace = false;      ///< add_prefix_space
    bool isQwen2 = false;            ///< applies merges within the words of Qwen 2's expression
    bool isClip = false;             ///< lower case, and the last character of a word has "</w>"
    std::vector<AddedToken> added{}; ///< tokens in added_tokens_decoder
};

/// Adds the tokens `declared` in the settings. They replace tokens with the same ids.
std::vector<AddedToken> withDeclared(std::vector<AddedToken> tokens,
                                     const std::vector<AddedToken> &declared);

/// Reads the two files of GPT-2, RoBERTa, BART and CLIP. `json` is {"text": id, …}. `merges` has
/// one merge per line, after an optional "#version" line. Tokens such as <|endoftext|> and <s> are
/// found in texts if the vocabulary has them. <s> and </s> are put around a text; for CLIP,
/// <|startoftext|> and <|endoftext|>.
Result<TokenizerPointer> readVocabularyAndMerges(std::string_view json, std::string_view merges,
                                                 const TokenizerSettings &settings,
                                                 std::stop_token stop = {});

/// Reads BERT's vocab.txt: one token per line, whose id is the line number from 0.
Result<TokenizerPointer> readBertVocabulary(std::string_view lines,
                                            const TokenizerSettings &settings,
                                            std::stop_token stop = {});

/// Reads one token per line. A text's tokens are the matches of the expression, with [CLS] and
/// [SEP] around them.
Result<TokenizerPointer> readVocabularyByExpression(std::string_view lines,
                                                    std::string_view expression,
                                                    std::stop_token stop = {});

/// Reads ["text", …], where the id is the index, or {"text": id, …}.
Result<TokenList> readTokenList(std::string_view json, std::stop_token stop = {});

/// Reads a token list as a tokenizer. If all tokens except those in < > are single characters,
/// texts are split into characters, otherwise at white space.
Result<TokenizerPointer> readTokenListJson(std::string_view json, const TokenizerSettings &settings,
                                           std::stop_token stop = {});

} // namespace headlight::core
