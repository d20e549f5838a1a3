// A tokenizer in the parts that `tokenizer.json` speaks of: added tokens, a normalizer, a
// pre-tokenizer, a model and what is put around a text.
#pragma once

#include "core/tokenizers/added_tokens.h"
#include "core/tokenizers/models/token_model.h"
#include "core/tokenizers/pre_tokenizers/pre_tokenizer.h"
#include "core/tokenizers/tokenizer.h"

namespace headlight::core {

/// Tokens that a text begins and ends with.
struct PostProcessing {
    std::vector<Index> before, after;
    bool trimsPlaces = false; ///< white space is in a token, but not in its place in the text
};

struct PipelineParts {
    std::vector<AddedToken> added;
    NormalizerPointer normalizer;     ///< null: the text as it is
    PreTokenizerPointer preTokenizer; ///< null: in one piece
    TokenModelPointer model;
    PostProcessing post;
};

/// Errors: those of the normalizer, which the added tokens go through.
Result<TokenizerPointer> makeTokenizer(PipelineParts parts);

} // namespace headlight::core
