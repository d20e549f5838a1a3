// Measures of attention heads, for sorting and finding heads.
#pragma once

#include "core/analysis/repeated_sequence.h"
#include "core/operations/mask.h"
#include "core/tensor/tensor.h"
#include "core/transformer/names/attention_id.h"

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Means over queries that are not padding and see at least two keys (a single key always has
/// weight 1). No value if there is no such query. The measures use the shares p = |w| / Σ |w| of
/// each row. After a softmax these are the weights; without one, weights can be negative and have
/// any sum, and shares give the relative size of each key. Rows with NaN or infinity are skipped.
/// Cross-attention, whose keys come from another text, has only the entropy, the shares of the
/// first key and of the separators, and the similarity.
struct HeadMeasures {
    std::optional<double> entropy{};       ///< nats: −Σ p ln p of a row
    std::optional<double> distance{};      ///< tokens: Σ p |i − j|
    std::optional<double> previousToken{}; ///< share of the previous key, if it is visible
    std::optional<double> diagonal{};      ///< share of the query's own token, if it is visible
    /// Share of the first key. In self-attention the first query is excluded.
    std::optional<double> firstToken{};
    /// Share of all keys that directly follow earlier occurrences of the query's token, over the
    /// queries that see such a key.
    std::optional<double> induction{};
    /// Share of all separators: special tokens and punctuation. No value if there are none.
    std::optional<double> separators{};
    /// Share of all earlier occurrences of the query's token, over the queries that see one. High
    /// in a duplicate-token head (Wang et al. 2022, "Interpretability in the Wild").
    std::optional<double> sameToken{};
    /// Similarity to another head, from 0 to 1 (head_similarity.h). No value unless requested.
    std::optional<double> similarity{};
    bool operator==(const HeadMeasures &) const = default;
};

/// The measures that session files store, in the order of the files.
inline constexpr std::array kHeadMeasures{&HeadMeasures::entropy,       &HeadMeasures::distance,
                                          &HeadMeasures::previousToken, &HeadMeasures::diagonal,
                                          &HeadMeasures::firstToken,    &HeadMeasures::induction};

/// A measure with its name on the command line.
struct NamedMeasure {
    std::string_view name;
    std::optional<double> HeadMeasures::*measure;
};

inline constexpr NamedMeasure kEveryMeasure[] = {
    {"entropy", &HeadMeasures::entropy},        {"distance", &HeadMeasures::distance},
    {"previous", &HeadMeasures::previousToken}, {"self", &HeadMeasures::diagonal},
    {"first", &HeadMeasures::firstToken},       {"separators", &HeadMeasures::separators},
    {"same_token", &HeadMeasures::sameToken},   {"induction", &HeadMeasures::induction},
    {"similarity", &HeadMeasures::similarity},
};

inline constexpr const NamedMeasure &kSimilarity = kEveryMeasure[8];

/// The measures that involve only one head: all except the similarity.
inline constexpr std::span<const NamedMeasure> kNamedMeasures(kEveryMeasure, 8);

struct HeadId {
    AttentionId attention;
    Index head = 0;
    auto operator<=>(const HeadId &) const = default;
};

/// The sequence that a head's weights belong to.
struct MeasuredText {
    Index sequence = 0;
    Index length = 0;           ///< number of tokens without padding
    EarlierPlaces earlier{};    ///< earlier positions of the same tokens
    const Mask *mask = nullptr; ///< mask of the keys; null if unknown
    Block block = Block::SelfAttention;
    std::vector<bool> separators{}; ///< which keys are separators; empty: unknown
};

/// Determines which keys each query of one head sees. An unknown mask, as in a capture, is assumed
/// to be causal if no query attends to a later key.
class VisibleKeys {
  public:
    VisibleKeys(const MatrixView &weights, const MeasuredText &text);
    /// Examines only these queries to decide whether an unknown mask is causal.
    VisibleKeys(const MatrixView &weights, const MeasuredText &text,
                std::span<const Index> queries);
    /// Sees all keys that the mask does not hide.
    explicit VisibleKeys(const Mask &mask) : m_mask(&mask), m_keys(mask.keys()) {}
    bool sees(Index query, Index key) const {
        return key >= 0 && key < m_keys &&
               (m_mask ? !m_mask->hidden(query, key) : !m_isCausal || key <= query);
    }
    Index count(Index query) const;

  private:
    const Mask *m_mask;
    Index m_keys;
    bool m_isCausal = false;
};

/// Returns Σ |w| of a row whose shares count in a measure. No value for padding, for a query that
/// sees fewer than two keys, and for a row without finite weights.
std::optional<double> countedTotal(std::span<const float> weights, const MeasuredText &text,
                                   const VisibleKeys &visible, Index row);

/// Returns true for each special token, such as [SEP] or </s>, and for each token that consists
/// only of punctuation (Unicode categories P*, so not + or $).
std::vector<bool> separatorsIn(std::span<const Token> tokens);

/// Measures one row of a head's weights, which may lack hidden keys at its end. A head's measures
/// are the means over its rows.
HeadMeasures measuresOfRow(std::span<const float> weights, const MeasuredText &text,
                           const VisibleKeys &visible, Index row);
/// Returns the mean of each measure, over the rows that have it.
HeadMeasures meanOf(std::span<const HeadMeasures> rows);

/// Measures each head of attention weights [B, H, T, S]. Empty for a tensor of another rank.
std::vector<HeadMeasures> headMeasures(const Tensor &weights, const MeasuredText &text);
/// Measures one head, on several threads if it is large.
HeadMeasures headMeasures(const MatrixView &weights, const MeasuredText &text);
/// Measures one head over these queries only, which must be in ascending order.
HeadMeasures headMeasures(const MatrixView &weights, const MeasuredText &text,
                          std::span<const Index> queries);

enum class HeadOrder { ByIndex, Entropy, Distance, PreviousToken, Diagonal, FirstToken, Induction };

inline constexpr std::array kHeadOrders{
    HeadOrder::ByIndex,  HeadOrder::Entropy,    HeadOrder::Distance, HeadOrder::PreviousToken,
    HeadOrder::Diagonal, HeadOrder::FirstToken, HeadOrder::Induction};

/// Returns the name on the command line: "index", "entropy", "distance", "previous-token",
/// "diagonal", "first-token" or "induction".
std::string_view nameOf(HeadOrder order);

/// Returns the measure that the order uses; none for ByIndex or if the measure does not exist.
std::optional<double> measureOf(const HeadMeasures &measures, HeadOrder order);

/// Sorts the heads: ascending by entropy or distance, descending by the other measures. Equal heads
/// are sorted by index; heads without the measure come last.
std::vector<Index> headsInOrder(const std::vector<HeadMeasures> &measures, HeadOrder order);

} // namespace headlight::core
