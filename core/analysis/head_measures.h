// What a head does with its attention, as numbers to put heads in order by.
#pragma once

#include "core/analysis/repeated_sequence.h"
#include "core/operations/mask.h"
#include "core/tensor/tensor.h"
#include "core/transformer/names/attention_id.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Means over the queries that count: that are words and see at least two keys, since of one key
/// the weight says nothing; none where there is no such query.
/// Of each row the shares p = |w| / Σ |w| are measured: the weights themselves after a softmax; and
/// without one, when weights have signs and any sum, how far each key counts among the others.
/// Rows with numbers that are not finite measure nothing. Of a cross-attention, whose keys are of
/// another text, there are only the entropy and the first key's share.
struct HeadMeasures {
    std::optional<double> entropy{};       ///< nats: −Σ p ln p of a row
    std::optional<double> distance{};      ///< tokens: Σ p |i − j|
    std::optional<double> previousToken{}; ///< share of the key before, where the query sees it
    std::optional<double> diagonal{};      ///< share of the query's own token, where it sees that
    /// Share of the first key; of a self-attention over the queries after it.
    std::optional<double> firstToken{};
    /// Share of all keys behind earlier occurrences of the query's token; over the queries that see
    /// such a key.
    std::optional<double> induction{};
    bool operator==(const HeadMeasures &) const = default;
};

/// As files have them, in this order.
inline constexpr std::array kHeadMeasures{&HeadMeasures::entropy,       &HeadMeasures::distance,
                                          &HeadMeasures::previousToken, &HeadMeasures::diagonal,
                                          &HeadMeasures::firstToken,    &HeadMeasures::induction};

/// What a head's weights are of.
struct MeasuredText {
    Index sequence = 0;
    Index length = 0;           ///< the words of the sequence that are not padding
    EarlierPlaces earlier{};    ///< where they stood before
    const Mask *mask = nullptr; ///< which keys they see; null: not known
    Block block = Block::SelfAttention;
};

/// One a head, of attention weights [B, H, T, S]. Where the mask is not known, as of a capture, it
/// is taken for causal where no query weights a key after it. A tensor of another rank has no
/// heads.
std::vector<HeadMeasures> headMeasures(const Tensor &weights, const MeasuredText &text);

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
