// Finds repeated tokens, the input that induction heads react to.
//
// Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"; Olsson et al. 2022,
// "In-context Learning and Induction Heads": such a head attends from a token to the one after an
// earlier occurrence of the same token.
#pragma once

#include "core/transformer/model/batch.h"

#include <optional>
#include <span>
#include <vector>

namespace headlight::core {

/// Tokens [begin, end) equal the tokens `distance` positions before and directly follow that first
/// copy. For a repeated sequence of L tokens this is the second copy, with distance L. The end of
/// the sequence may cut it, but at most half of it.
struct RepeatedSequence {
    Index begin = 0, end = 0;
    Index distance = 0; ///< at least 2
    bool operator==(const RepeatedSequence &) const = default;
};

/// Returns the longest repetition, or of equal ones that with the smallest distance. Equal numbers
/// are equal tokens. No value if no two tokens or more are repeated.
std::optional<RepeatedSequence> repeatedSequenceIn(std::span<const Index> tokens);
/// Ignores padding.
std::optional<RepeatedSequence> repeatedSequenceIn(const Sequence &sequence);

/// For each token the position of its nearest earlier occurrence; −1 if there is none.
using EarlierPlaces = std::vector<Index>;

/// For any text. Equal numbers are equal tokens.
EarlierPlaces earlierPlaces(std::span<const Index> tokens);
/// Ignores padding.
EarlierPlaces earlierPlaces(const Sequence &sequence);
/// Only for the tokens of the second copy, and only in the first copy. −1 everywhere else.
EarlierPlaces earlierPlaces(const std::optional<RepeatedSequence> &copy);

} // namespace headlight::core
