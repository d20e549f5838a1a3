// What a head does with its attention, as numbers to put heads in order by.
#pragma once

#include "core/analysis/second_copy.h"
#include "core/tensor/tensor.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Means over the queries that are words and see at least one key; all zero where there is none.
/// Of each row the shares p = |w| / Σ |w| are measured: the weights themselves after a softmax; and
/// without one, when weights have signs and any sum, how far each key counts among the others.
/// Rows with numbers that are not finite measure nothing.
struct HeadMeasures {
    double entropy = 0;       ///< nats: −Σ p ln p of a row
    double distance = 0;      ///< tokens: Σ p |i − j|
    double previousToken = 0; ///< share of the key before the query; over the queries that have one
    double diagonal = 0;      ///< share of the query's own token
    double firstToken = 0;    ///< share of the first key
    /// Share of the key i − L + 1, which stands behind the token's first copy; over the queries i
    /// of the second copy of a repeated sequence of L tokens. None where nothing is repeated.
    std::optional<double> induction{};
    bool operator==(const HeadMeasures &) const = default;
};

/// One a head, of attention weights [B, H, T, S]. `length`: the words of the sequence that are not
/// padding. `copy`: where they repeat each other, of a self-attention. A tensor of another rank has
/// no heads.
std::vector<HeadMeasures> headMeasures(const Tensor &weights, Index sequence, Index length,
                                       const std::optional<SecondCopy> &copy = {});

enum class HeadOrder { ByIndex, Entropy, Distance, PreviousToken, Diagonal, FirstToken, Induction };

inline constexpr std::array kHeadOrders{
    HeadOrder::ByIndex,  HeadOrder::Entropy,    HeadOrder::Distance, HeadOrder::PreviousToken,
    HeadOrder::Diagonal, HeadOrder::FirstToken, HeadOrder::Induction};

/// The name on the command line: "index", "entropy", "distance", "previous-token", "diagonal",
/// "first-token", "induction".
std::string_view nameOf(HeadOrder order);
std::optional<HeadOrder> findHeadOrder(std::string_view name);

/// The measure by which the order is; 0 for ByIndex, and where there is no induction.
double measureOf(const HeadMeasures &measures, HeadOrder order);

/// The heads in this order: those with the smallest entropy or distance first, else those with the
/// largest weight; equal ones by index.
std::vector<Index> headsInOrder(const std::vector<HeadMeasures> &measures, HeadOrder order);

} // namespace headlight::core
