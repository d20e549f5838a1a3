// Everything that made one number of a trace: its terms, its row, and what hid it. What the
// inspector says in words.
#pragma once

#include "core/transformer/selection.h"
#include "core/transformer/trace.h"

#include <optional>
#include <vector>

namespace headlight::core {

/// Two numbers that are multiplied.
struct Term {
    float left = 0;
    float right = 0;
    double product() const { return static_cast<double>(left) * static_cast<double>(right); }
};

/// Added in double, from the first to the last.
double sumOf(const std::vector<Term> &terms);

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

/// From a query and a key to their weight, and what the weight does.
struct PairExplanation {
    std::vector<Term> terms; ///< query[i] · key[i], one a dimension [d]
    bool setByHand = false;  ///< the score is an intervention, and not the terms' sum
    float score = 0;         ///< as the trace has it; and so the next ones
    float scale = 1;         ///< scaled = score · scale
    float scaled = 0;
    std::optional<std::size_t> hiddenBy; ///< the mask's layer that hid the pair; none: visible
    std::optional<float> masked;         ///< none: the mask comes after softmax
    std::optional<float> unmaskedWeight; ///< none: it comes before
    float temperature = 1;
    bool softmax = true;
    bool isUniform = false; ///< the weight is 1/visible, or 0 where hidden, whatever the scores are
    Index visible = 0;      ///< how many keys the mask lets the query see
    /// Of the numbers that softmax reads: the masked scores, or the scaled ones where the mask
    /// comes after it. None: no softmax, or the query sees nothing.
    std::optional<float> rowMaximum;
    double exponential = 0;         ///< e^((number − rowMaximum) / temperature)
    double sum = 0;                 ///< of the row's exponentials; 0: there is no rowMaximum
    float weight = 0;               ///< exponential / sum; or number / temperature; or as above
    std::vector<Term> contribution; ///< weight · value[i]: what the key gives to the context [d]
    /// What softmax reads of this pair.
    float number() const { return masked.value_or(scaled); }
};

/// How a number of a vector comes to be.
enum class Origin {
    Vector,     ///< the token's own vector: nothing made it
    Position,   ///< the embedding plus the position's number
    Same,       ///< the same number as the stage before: no position is added
    Linear,     ///< Σ input · column of the weights, + bias
    Weighted,   ///< Σ weights of the row · column of the values
    Silenced,   ///< zero, since the head is silenced
    Mean,       ///< the mean of the head's contexts over the sequence's real tokens
    Head,       ///< copied from one head's context
    LayerOutput ///< what the layer before put out
};

/// One number of a vector.
struct CellExplanation {
    Index dimension = 0;
    float value = 0; ///< as the trace has it
    Origin origin = Origin::Vector;
    std::vector<Term> terms;   ///< Linear [in], Weighted [T]; for Position {embedding, 1}; for Mean
                               ///< what the head would give each real token · 1/their number
    std::optional<float> bias; ///< Linear: of the dimension; Position: the position's number
    double sum = 0;            ///< of the terms and the bias; the value within float's rounding
    Index head = 0;            ///< Head: which one
    Index headDimension = 0;   ///< and which number of it
    std::vector<double> heads; ///< Output: what each head adds, [H]; with the bias they sum to it
};

/// One row of a stage whose columns are dimensions.
struct VectorExplanation {
    Index row = 0; ///< the token
    std::vector<float> values;
    double norm = 0; ///< Euclidean
    std::optional<CellExplanation> cell;
};

/// The row that the selection means at its stage: the key's where the stage holds keys or values,
/// else the query's.
std::optional<Index> selectedRow(const Selection &place);

/// The stage's tensor in a layer. From the second layer on, what enters the layer stands for the
/// embeddings. Null where the model has no such stage.
Tensor stageTensor(const Trace &trace, Stage stage, Site site);

/// Of (sequence, layer, head, query, key), whatever the stage. Errors: a place outside the trace.
Result<PairExplanation> explainPair(const Trace &trace, const Selection &place);

/// Of (sequence, layer, head, stage, query), for a stage over keys. Errors: a place outside.
Result<RowExplanation> explainRow(const Trace &trace, const Selection &place);

/// Of (sequence, layer, head, stage, selectedRow), and of its dimension where there is one, for a
/// stage whose columns are dimensions. Errors: a place outside the trace, or no such stage.
Result<VectorExplanation> explainVector(const Trace &trace, const Selection &place);

/// The number at the selection's cell. Errors: a place outside, or only half a place.
Result<float> valueAt(const Trace &trace, const Selection &place);

} // namespace headlight::core
