// A tokenizer built from the parts of `tokenizer.json`: added tokens, normalizer, pre-tokenizer,
// model, post-processor and decoder.
#pragma once

#include "core/tokenizers/added_tokens.h"
#include "core/tokenizers/decoders/decoder.h"
#include "core/tokenizers/models/token_model.h"
#include "core/tokenizers/pre_tokenizers/pre_tokenizer.h"
#include "core/tokenizers/tokenizer.h"

#include <stop_token>

namespace headlight::core {

/// An element of a template: one of the texts, or a special token.
struct TemplatePart {
    enum class What { First, Second, Special };
    What what = What::First;
    Index type = 0;
    Index id = 0; ///< id of a special token
};
using Template = std::vector<TemplatePart>;

/// Templates for the tokens of a single text and of a pair.
struct PostProcessing {
    Template single{{}};                                ///< contains First once, and no Second
    Template pair{{}, {TemplatePart::What::Second, 1}}; ///< contains First and Second once each
    bool trimsPlaces = false; ///< spans exclude white space that the tokens contain
};

/// In a pair, `between` copies of the last token separate the texts, and the second text has type
/// `secondType`.
struct PairStyle {
    std::size_t between = 1;
    Index secondType = 1;
};
PostProcessing surrounding(std::optional<Index> first, std::optional<Index> last, PairStyle style);

struct PipelineParts {
    std::vector<AddedToken> added;
    NormalizerPointer normalizer;     ///< null: leaves the text unchanged
    PreTokenizerPointer preTokenizer; ///< null: does not split
    TokenModelPointer model;
    PostProcessing post;
    DecoderPointer decoder; ///< null: joins tokens with a space
    /// Ids that decoding treats as special, besides the special added tokens.
    std::vector<Index> special{};
};

/// Builds a tokenizer. Errors: those of the normalizer, which is applied to the added tokens.
Result<TokenizerPointer> makeTokenizer(PipelineParts parts, std::stop_token stop = {});

} // namespace headlight::core
