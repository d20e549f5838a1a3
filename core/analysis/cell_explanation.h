// Everything that made one number of a trace: its terms, its row, and what hid it. What the
// inspector says in words.
#pragma once

#include "core/analysis/cell_origin.h"

#include <optional>
#include <vector>

namespace headlight::core {

/// A row of a stage whose columns are keys.
struct RowExplanation {
    Index visible = 0;              ///< how many keys the mask lets the query see
    bool seesNothing = true;        ///< seesNothing(): weights and context are exactly zero
    std::optional<Index> largestAt; ///< the first key with the largest value; none: sees nothing
    float largest = 0;
    double weightSum = 0; ///< of the row's weights, whatever the stage
    /// −Σ w·ln w of the row's weights, in nats (Shannon 1948), whatever the stage; a weight of zero
    /// adds nothing. Only of a row that sums to 1 (Weighting::sumsToOne).
    double entropy = 0;
    double entropyBits() const;
};

/// A number that ALiBi or T5's table adds to a scaled score.
struct PositionBias {
    float value = 0;
    Index distance = 0;         ///< key − query
    std::optional<float> slope; ///< ALiBi: value = −slope · |distance|
    Index bucket = 0;           ///< Relative: the row of the table [buckets, H]
};

/// From a query and a key to their weight, and what the weight does.
struct PairExplanation {
    std::vector<Term> terms; ///< query[i] · key[i], one a dimension [d]
    bool setByHand = false;  ///< the score is an intervention, and not the terms' sum
    float score = 0;         ///< as the trace has it; and so the next ones
    float scale = 1;         ///< scaled = score · scale
    float scaled = 0;
    std::optional<PositionBias> position; ///< what is added to it for the distance; none: nothing
    float biased = 0;                     ///< scaled, with that
    std::optional<std::size_t> hiddenBy;  ///< the mask's layer that hid the pair; none: visible
    std::optional<float> masked;          ///< none: the mask comes after softmax
    std::optional<float> unmaskedWeight;  ///< none: it comes before
    float temperature = 1;
    bool softmax = true;
    bool isUniform = false; ///< the weight is 1/visible, or 0 where hidden, whatever the scores are
    Index visible = 0;      ///< how many keys the mask lets the query see
    /// Of the numbers that softmax reads: the masked scores, or the biased ones where the mask
    /// comes after it. None: no softmax, or the query sees nothing.
    std::optional<float> rowMaximum;
    double exponential = 0;         ///< e^((number − rowMaximum) / temperature)
    double sum = 0;                 ///< of the row's exponentials; 0: there is no rowMaximum
    float weight = 0;               ///< exponential / sum; or number / temperature; or as above
    std::vector<Term> contribution; ///< weight · value[i]: what the key gives to the context [d]
    /// What softmax reads of this pair.
    float number() const { return masked.value_or(biased); }
};

/// One row of a stage whose columns are no keys.
struct VectorExplanation {
    Index row = 0; ///< the token; of a classifier the sequence
    std::vector<float> values;
    double norm = 0; ///< Euclidean
    std::optional<CellExplanation> cell;
};

/// The row that the selection means at its stage: the key's where the stage holds keys or values,
/// the sequence where a row is one, else the query's.
std::optional<Index> selectedRow(const Selection &place);

/// The matrix that the selection is in; empty where the trace does not have it, or no such place.
SharedMatrix matrixAt(const Trace &trace, const Selection &place);

/// Of (sequence, site, head, query, key), whatever the stage. Errors: a place outside the trace.
Result<PairExplanation> explainPair(const Trace &trace, const Selection &place);

/// Of (sequence, site, head, stage, query), for a stage over keys. Errors: a place outside.
Result<RowExplanation> explainRow(const Trace &trace, const Selection &place);

/// Of (sequence, site, head, stage, selectedRow), and of its dimension where there is one, for a
/// stage whose columns are dimensions, words or classes. Errors: a place outside the trace, or no
/// such stage.
Result<VectorExplanation> explainVector(const Trace &trace, const Selection &place);

/// The number at the selection's cell. Errors: a place outside, or only half a place.
Result<float> valueAt(const Trace &trace, const Selection &place);

} // namespace headlight::core
