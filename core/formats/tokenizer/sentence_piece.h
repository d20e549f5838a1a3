// SentencePiece models (github.com/google/sentencepiece), run by its library, with the additions of
// each model family.
#pragma once

#include "core/tokenizers/added_tokens.h"
#include "core/tokenizers/tokenizer.h"

#include <optional>

namespace headlight::core {

/// The model's family. Families renumber the pieces, add tokens, and surround a text with other
/// tokens. They also find special tokens in texts, which the library does not.
enum class SentencePieceFamily {
    None, ///< the library's own ids; [CLS] and [SEP] around a text if the model has both
    Albert,
    T5,
    Llama,
    XlmRoberta,
    Camembert,
    Pegasus,
    Deberta,
};

struct SentencePieceSettings {
    SentencePieceFamily family = SentencePieceFamily::None;
    std::optional<bool> begins;      ///< <s> before a text; unset: the family's default
    std::optional<bool> ends;        ///< </s> after it
    Index extraIds = 100;            ///< T5: extra_ids, sentinel tokens after the pieces
    bool lowers = true;              ///< ALBERT: do_lower_case
    bool keepsAccents = false;       ///< ALBERT: keep_accents
    std::vector<AddedToken> added{}; ///< added_tokens_decoder
};

/// `model` is the content of the file.
Result<TokenizerPointer> readSentencePiece(std::string_view model, SentencePieceSettings settings);

/// Reads Marian's files. The pieces of `source` are looked up in `vocabulary`, {"text": id, …}, and
/// </s> is appended. A language such as >>fra<< is a token if the vocabulary has it. The pieces of
/// `target` are joined when decoding.
Result<TokenizerPointer> readMarian(std::string_view vocabulary, std::string_view source,
                                    std::string_view target, std::stop_token stop = {});

/// The settings of M2M-100 in tokenizer_config.json.
struct LanguageSettings {
    std::string source = "en";    ///< src_lang: its token comes before a text
    std::string codes = "m2m100"; ///< language_codes: m2m100 or wmt21
};
/// Reads M2M-100's two files. The pieces of `model` are looked up in `vocabulary`; the tokens of
/// the languages, such as __en__, follow its last id. The source's language comes before a text,
/// and </s> after it.
Result<TokenizerPointer> readM2m100(std::string_view vocabulary, std::string_view model,
                                    const LanguageSettings &settings, std::stop_token stop = {});

} // namespace headlight::core
