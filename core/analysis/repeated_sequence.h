// Finds repeated tokens, to which induction heads react.
//
// Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"; Olsson et al. 2022,
// "In-context Learning and Induction Heads". Such a head attends from a token to the token after an
// earlier occurrence of the same token.
#pragma once

#include "core/transformer/model/batch.h"

#include <optional>
#include <span>
#include <vector>

namespace headlight::core {

/// Tokens [begin, end) repeat the tokens that start at begin − distance. For a sequence of L tokens
/// that occurs twice in a row, these are the tokens of the second copy, and the distance is L. The
/// end of the text may cut off up to half of the copy.
struct RepeatedSequence {
    Index begin = 0, end = 0;
    Index distance = 0; ///< at least 2
    bool operator==(const RepeatedSequence &) const = default;
};

/// Returns the longest repetition; of equally long ones, the one with the smallest distance. Equal
/// tokens have equal numbers. No value if there is no repetition of at least two tokens.
std::optional<RepeatedSequence> repeatedSequenceIn(std::span<const Index> tokens);
/// Ignores padding.
std::optional<RepeatedSequence> repeatedSequenceIn(const Sequence &sequence);

/// For each token, the position of its nearest earlier occurrence; −1 if there is none.
using EarlierPlaces = std::vector<Index>;

/// Returns the positions for any text. Equal tokens have equal numbers.
EarlierPlaces earlierPlaces(std::span<const Index> tokens);
/// Ignores padding.
EarlierPlaces earlierPlaces(const Sequence &sequence);
/// Returns for each token of the second copy its position in the first copy; −1 for all others.
EarlierPlaces earlierPlaces(const std::optional<RepeatedSequence> &copy);

} // namespace headlight::core
