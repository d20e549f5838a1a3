// Aligns two texts by their tokens, so that values of texts of different lengths can be compared.
#pragma once

#include "core/result.h"
#include "core/tokenizers/text/token.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace headlight::core {

/// A token of the current text and its partner in text A.
struct AlignedPair {
    Index now = 0;
    Index a = 0;
    bool operator==(const AlignedPair &) const = default;
};

/// Pairs in text order: both indices increase from pair to pair, so no token has two partners and
/// no two pairs cross.
using AlignedPairs = std::vector<AlignedPair>;

/// Maximum product of the lengths of the parts that differ. Tokens of larger parts stay unpaired.
inline constexpr Index kMaxAlignedCells = Index(1) << 30;

/// Returns a longest common subsequence of the two texts. Pairs their common prefix and suffix
/// first. For the rest, time is proportional to the product of the lengths, memory to their sum
/// (Hirschberg 1975). After a stop, pairs are missing.
AlignedPairs alignedTokens(std::span<const std::string> now, std::span<const std::string> a,
                           const std::stop_token &stop = {});

/// True if both indices increase from pair to pair and are within the lengths.
bool isOrdered(const AlignedPairs &pairs, Index nowLength, Index aLength);

/// Adds a pair that the user made. Removes the pairs that share one of its tokens or cross it.
AlignedPairs withPair(AlignedPairs pairs, AlignedPair added);

/// Removes the pair of this token of the current text; does nothing if it has none.
AlignedPairs withoutPairOf(AlignedPairs pairs, Index now);

/// The tokens of each text that have no partner.
struct UnpairedTokens {
    std::vector<Index> now, a;
};
UnpairedTokens unpairedTokens(const AlignedPairs &pairs, Index nowLength, Index aLength);

} // namespace headlight::core
