// Where a sequence says something again: what an induction head looks for.
//
// Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"; Olsson et al. 2022,
// "In-context Learning and Induction Heads": such a head looks from a token to the one behind the
// same token's earlier occurrence.
#pragma once

#include "core/transformer/model/batch.h"

#include <optional>
#include <span>
#include <vector>

namespace headlight::core {

/// The tokens [begin, end) are those of `distance` places before, and follow right behind these:
/// of a repeated sequence of L tokens the second copy, with distance L. It may be cut short at the
/// sequence's end, but not below its half.
struct RepeatedSequence {
    Index begin = 0, end = 0;
    Index distance = 0; ///< at least 2
    bool operator==(const RepeatedSequence &) const = default;
};

/// The longest one, of those the nearest to its first copy; equal numbers are equal tokens. None:
/// the sequence does not repeat two tokens or more.
std::optional<RepeatedSequence> repeatedSequenceIn(std::span<const Index> tokens);
/// Of the tokens that are not padding.
std::optional<RepeatedSequence> repeatedSequenceIn(const Sequence &sequence);

/// Of each token the place of the same token that is the nearest before it; −1: there is none.
using EarlierPlaces = std::vector<Index>;

/// Of any text; equal numbers are equal tokens.
EarlierPlaces earlierPlaces(std::span<const Index> tokens);
/// Of the tokens that are not padding.
EarlierPlaces earlierPlaces(const Sequence &sequence);
/// Of the second copy alone, and there only the first one; none: of no token.
EarlierPlaces earlierPlaces(const std::optional<RepeatedSequence> &copy);

} // namespace headlight::core
