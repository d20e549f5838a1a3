// A tokenizer in the parts that `tokenizer.json` speaks of: added tokens, a normalizer, a
// pre-tokenizer, a model, what is put around a text, and the way back.
#pragma once

#include "core/tokenizers/added_tokens.h"
#include "core/tokenizers/decoders/decoder.h"
#include "core/tokenizers/models/token_model.h"
#include "core/tokenizers/pre_tokenizers/pre_tokenizer.h"
#include "core/tokenizers/tokenizer.h"

#include <stop_token>

namespace headlight::core {

/// A text in a template, or a token that stands beside it.
struct TemplatePart {
    enum class What { First, Second, Special };
    What what = What::First;
    Index type = 0;
    Index id = 0; ///< of a special token
};
using Template = std::vector<TemplatePart>;

/// What is put around a text, and around two of them.
struct PostProcessing {
    Template single{{}};                                ///< the first once
    Template pair{{}, {TemplatePart::What::Second, 1}}; ///< each of both once
    bool trimsPlaces = false; ///< white space is in a token, but not in its place in the text
};

/// `first` and `last` around a text, each where there is one. Of two texts, so many `last` are
/// between them, and the second one has this type.
struct PairStyle {
    std::size_t between = 1;
    Index secondType = 1;
};
PostProcessing surrounding(std::optional<Index> first, std::optional<Index> last, PairStyle style);

struct PipelineParts {
    std::vector<AddedToken> added;
    NormalizerPointer normalizer;     ///< null: the text as it is
    PreTokenizerPointer preTokenizer; ///< null: in one piece
    TokenModelPointer model;
    PostProcessing post;
    DecoderPointer decoder; ///< null: a space between two tokens
    /// Left out of a text where special tokens are, beside the added ones that are special.
    std::vector<Index> special{};
};

/// Errors: those of the normalizer, which the added tokens go through.
Result<TokenizerPointer> makeTokenizer(PipelineParts parts, std::stop_token stop = {});

} // namespace headlight::core
