// SentencePiece's own models (github.com/google/sentencepiece), read and used by its library, and
// what the families that come with one do besides.
#pragma once

#include "core/tokenizers/added_tokens.h"
#include "core/tokenizers/tokenizer.h"

#include <optional>

namespace headlight::core {

/// Whose model it is: families number its pieces anew, have tokens beside it, and put others around
/// a text. They find their special tokens in texts, which the library by itself does not.
enum class SentencePieceFamily {
    None, ///< the library's own ids; [CLS] and [SEP] around a text where the model has both
    Albert,
    T5,
    Llama,
    XlmRoberta,
    Camembert,
};

struct SentencePieceSettings {
    SentencePieceFamily family = SentencePieceFamily::None;
    std::optional<bool> begins;      ///< <s> before a text; none: as the family does
    std::optional<bool> ends;        ///< </s> behind it
    Index extraIds = 100;            ///< T5: extra_ids, blanks to fill in behind the pieces
    bool lowers = true;              ///< ALBERT: do_lower_case
    bool keepsAccents = false;       ///< ALBERT: keep_accents
    std::vector<AddedToken> added{}; ///< added_tokens_decoder
};

/// `model` is the file's bytes.
Result<TokenizerPointer> readSentencePiece(std::string_view model, SentencePieceSettings settings);

/// Marian's three files: what the pieces of `source` are called in `vocabulary`, {"text": id, …},
/// are the tokens of a text, with </s> behind them; those of `target` are put together to a text.
Result<TokenizerPointer> readMarian(std::string_view vocabulary, std::string_view source,
                                    std::string_view target, std::stop_token stop = {});

} // namespace headlight::core
