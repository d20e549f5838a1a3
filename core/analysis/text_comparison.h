// Compares two traces of texts of any length, on the paired tokens: the attention weights of each
// head, its measures, and the predictions.
#pragma once

#include "core/analysis/heads_of_trace.h"
#include "core/analysis/token_alignment.h"

namespace headlight::core {

/// One of the two traces, and its sequence.
struct ComparedSide {
    const Trace &trace; ///< must outlive the comparison
    Index sequence = 0;
};

/// The tokens of both sides in one stack, and their pairs. A model that reads two texts has two of
/// these.
struct AlignedText {
    Stack stack = Stack::Main;
    std::vector<std::string> now, a; ///< the tokens, without padding
    AlignedPairs pairs{};
    UnpairedTokens unpaired() const {
        return unpairedTokens(pairs, std::ssize(now), std::ssize(a));
    }
    bool operator==(const AlignedText &) const = default;
};

/// The cell in which the weights of a head differ most.
struct WeightDifference {
    AlignedPair query, key;
    double difference = 0; ///< current − A
};

struct ComparedHead {
    AttentionId attention;
    Index head = 0;
    std::optional<WeightDifference> largest{}; ///< none if there is no difference
    /// Mean of |current − A| over the cells whose query and key are paired. Leaves out cells that
    /// are 0 on both sides. No value if no cell is left.
    std::optional<double> meanDifference{};
    /// The share of a query's weights on unpaired keys, averaged over the paired queries.
    std::optional<double> unpairedNow{}, unpairedA{};
    HeadMeasures now{}, a{}; ///< measured over the paired queries only
};

/// Returns current − A of each measure that both sides have.
HeadMeasures changeOf(const ComparedHead &head);

/// Returns the changes of all heads that both sides have. `progress`, which may be null, counts the
/// attention modules. Errors: as comparedHeads().
Result<std::vector<HeadOfTrace>> changesOfHeads(const ComparedSide &now, const ComparedSide &a,
                                                const std::vector<AlignedText> &texts,
                                                const std::stop_token &stop = {},
                                                Progress *progress = nullptr);

/// The predictions at a pair of tokens, or of a whole text for a classifier.
struct ComparedPrediction {
    std::optional<AlignedPair> at{};
    struct Top {
        Index token = 0;
        double probability = 0; ///< probability on its own side
        double elsewhere = 0;   ///< probability of the same token on the other side
    };
    Top now{}, a{};
    double logitDifference = 0; ///< current − A, of the token that is most probable now
    double divergence = 0;      ///< Jensen–Shannon, base 2: 0 for equal predictions, at most 1
};

/// Compares the heads that both sides have, sorted by layer. `texts`: the texts of partnersOf().
/// Reads the weights of one head at a time. Errors: no such head has weights on both sides; those
/// of Trace::madeMatrix(); "cancelled".
Result<std::vector<ComparedHead>> comparedHeads(const ComparedSide &now, const ComparedSide &a,
                                                const std::vector<AlignedText> &texts,
                                                const std::stop_token &stop = {});

/// Compares the heads of one attention module. Empty if a side does not have its weights.
Result<std::vector<ComparedHead>> comparedHeads(const ComparedSide &now, const ComparedSide &a,
                                                const std::vector<AlignedText> &texts,
                                                AttentionId attention,
                                                const std::stop_token &stop = {});

/// Compares the predictions at each pair of the main stack. Empty if a side has no output layer, or
/// if the tokens to choose from differ. Errors: those of readOutput(); "cancelled".
Result<std::vector<ComparedPrediction>> comparedPredictions(const ComparedSide &now,
                                                            const ComparedSide &a,
                                                            const std::vector<AlignedText> &texts,
                                                            const std::stop_token &stop = {});

/// Why predictions are not compared.
enum class PredictionsLeftOut { No, OneSideHasNone, DifferentWords };

/// The parts of one side that a comparison leaves out, because the other side lacks them.
struct LeftOut {
    std::vector<HeadId> headsNow, headsA; ///< heads with weights that the other side lacks
    PredictionsLeftOut predictions = PredictionsLeftOut::No;
};
LeftOut leftOutOf(const ComparedSide &now, const ComparedSide &a);

/// Returns the Jensen–Shannon divergence, base 2, of two distributions of equal size.
double jensenShannon(std::span<const float> first, std::span<const float> second);

} // namespace headlight::core
