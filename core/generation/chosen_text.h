// A text in which a model, or a person from what it proposes, has chosen a token.
#pragma once

#include "core/transformer/model/model.h"

namespace headlight::core {

/// What becomes of the tokens behind one that is chosen.
enum class FollowingTokens {
    Drop, ///< they followed from another word
    Keep, ///< the word takes the place of one
};

/// The word `id` of what the stack reads, at the place `token` ≤ their number. Where the program,
/// or the model's own reader, reads the same tokens again of a text with that word in it, that is
/// their text, and they have places in it. Else the text is what the reader says of the tokens, or
/// is not known.
TokenizedText withToken(const Model &model, Stack stack, TokenizedText text, Index token, Index id,
                        FollowingTokens behind);

/// The same behind all others, marked as written by the model.
TokenizedText withWritten(const Model &model, Stack stack, TokenizedText text, Index id);

/// `read` with the marks of `before` on the tokens that both begin with: what was typed behind them
/// changed nothing of those.
TokenizedText withMarksOf(const TokenizedText &before, TokenizedText read);

} // namespace headlight::core
