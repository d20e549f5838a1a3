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
    /// Share of all keys behind earlier occurrences of the query's token; over the queries that see
    /// such a key. None where there is no such query.
    std::optional<double> induction{};
    bool operator==(const HeadMeasures &) const = default;
};

/// One a head, of attention weights [B, H, T, S]. `length`: the words of the sequence that are not
/// padding. `earlier`: where they stood before, of a self-attention. A tensor of another rank has
/// no heads.
std::vector<HeadMeasures> headMeasures(const Tensor &weights, Index sequence, Index length,
                                       const EarlierPlaces &earlier = {});

enum class HeadOrder { ByIndex, Entropy, Distance, PreviousToken, Diagonal, FirstToken, Induction };

inline constexpr std::array kHeadOrders{
    HeadOrder::ByIndex,  HeadOrder::Entropy,    HeadOrder::Distance, HeadOrder::PreviousToken,
    HeadOrder::Diagonal, HeadOrder::FirstToken, HeadOrder::Induction};

/// The name on the command line: "index", "entropy", "distance", "previous-token", "diagonal",
/// "first-token", "induction".
std::string_view nameOf(HeadOrder order);
std::optional<HeadOrder> findHeadOrder(std::string_view name);

/// The measure by which the order is; none for ByIndex, and where it does not exist.
std::optional<double> measureOf(const HeadMeasures &measures, HeadOrder order);

/// The heads in this order: those with the smallest entropy or distance first, else those with the
/// largest weight; equal ones by index, and those without the measure last.
std::vector<Index> headsInOrder(const std::vector<HeadMeasures> &measures, HeadOrder order);

} // namespace headlight::core
