// SentencePiece models (github.com/google/sentencepiece), run by SentencePiece's library, with the
// additions of each model family.
#pragma once

#include "core/tokenizers/added_tokens.h"
#include "core/tokenizers/tokenizer.h"

#include <optional>

namespace headlight::core {

/// The model's family. Families renumber the pieces, add tokens, and surround a text with special
/// tokens. They also find special tokens in texts, which the library does not do.
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
    std::optional<bool> begins;      ///< puts <s> before a text; unset: the family's default
    std::optional<bool> ends;        ///< puts </s> after a text; unset: the family's default
    Index extraIds = 100;            ///< extra_ids of T5: number of sentinels after the pieces
    bool lowers = true;              ///< do_lower_case of ALBERT
    bool keepsAccents = false;       ///< keep_accents of ALBERT
    std::vector<AddedToken> added{}; ///< tokens in added_tokens_decoder
};

/// Reads a model. `model`: the contents of its file.
Result<TokenizerPointer> readSentencePiece(std::string_view model, SentencePieceSettings settings);

/// Reads Marian's files. The pieces of `source` are looked up in `vocabulary`, {"text": id, …}, and
/// </s> is appended. A language such as >>fra<< is a token if the vocabulary has it. Decoding joins
/// the pieces of `target`.
Result<TokenizerPointer> readMarian(std::string_view vocabulary, std::string_view source,
                                    std::string_view target, std::stop_token stop = {});

/// The settings of M2M-100 in tokenizer_config.json.
struct LanguageSettings {
    std::string source = "en";    ///< src_lang: this language's token comes before a text
    std::string codes = "m2m100"; ///< language_codes: m2m100 or wmt21
};
/// Reads M2M-100's two files. The pieces of `model` are looked up in `vocabulary`. The language
/// tokens, such as __en__, have the ids after the vocabulary's last one. A text is preceded by the
/// token of the source language and followed by </s>.
Result<TokenizerPointer> readM2m100(std::string_view vocabulary, std::string_view model,
                                    const LanguageSettings &settings, std::stop_token stop = {});

} // namespace headlight::core
