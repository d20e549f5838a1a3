// How one number of a vector came to be: from which stage, by which numbers of the model, in which
// steps.
#pragma once

#include "core/analysis/stage_source.h"
#include "core/transformer/parameter_id.h"
#include "core/transformer/selection.h"

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

enum class Origin {
    Vector,      ///< the token's own vector: nothing made it
    LookUp,      ///< the one-hot row of the token's word · column of the embedding matrix
    Sum,         ///< Σ of some numbers: `addends`
    Same,        ///< the same number as at the stage `from`
    Linear,      ///< Σ row of `from` · column of the weights, + bias
    Weighted,    ///< Σ weights of the row · column of the values
    Silenced,    ///< zero, since the head is silenced
    Mean,        ///< the mean of the head's contexts over the sequence's real tokens
    Head,        ///< copied from one head's context
    Norm,        ///< centred and scaled: `norm`
    Rotated,     ///< turned in a plane with another number: `rotation`
    Activated,   ///< a nonlinear function of a number, perhaps times another: `activation`
    Transformed, ///< Linear, then the activation, then perhaps a norm, in one stage
    Softmax,     ///< e^(logit − maximum) / Σ: `share`
    Pooled,      ///< of all the sequence's tokens, then perhaps Linear and tanh: `pooled`
};

/// One number of a sum.
struct Addend {
    enum class Kind { Embedding, Position, TokenType, Stage };
    Kind kind = Kind::Stage;
    float number = 0;
    float factor = 1;            ///< Embedding: √C where the model scales; HeadInput: C^-½
    std::optional<StageAt> from; ///< Embedding and Stage: where the number stands
    Index row = 0;               ///< Position and TokenType: of the table
};

struct NormOrigin {
    NormKind kind = NormKind::Layer;
    float input = 0;
    double mean = 0; ///< 0 for RootMeanSquare
    /// √(variance + ε), or √(mean square + ε).
    double deviation = 1;
    float epsilon = 0;
    Index count = 0;           ///< numbers that mean and deviation are of
    Index sequences = 1;       ///< Batch: that they are from
    std::optional<float> gain; ///< none: 1
    std::optional<float> bias; ///< none: 0
    double value() const;
};

/// own · cosine ∓ other · sine (Su et al. 2021).
struct RotationOrigin {
    float own = 0, other = 0;
    Index partner = 0;   ///< the dimension of `other`
    bool isFirst = true; ///< of the pair: then other · sine is taken away, else added
    Index position = 0;
    double angle = 0; ///< radians
    float cosine = 1, sine = 0;
};

struct ActivationOrigin {
    Activation activation = Activation::Relu;
    float input = 0;             ///< the hidden number, or the gate where there is one
    std::optional<float> hidden; ///< gated: what the activated gate is multiplied by
};

struct ShareOrigin {
    float logit = 0;
    float maximum = 0;
    double exponential = 0; ///< e^(logit − maximum)
    double sum = 0;         ///< of the row's
};

struct PooledOrigin {
    Pooling pooling = Pooling::First;
    Index tokens = 1;      ///< Mean: of how many
    Index token = 0;       ///< First, Last: which
    bool isMapped = false; ///< tanh(Σ terms + bias); else the pooled number itself
};

/// One number of a vector.
struct CellExplanation {
    Index dimension = 0; ///< or the word, or the class
    float value = 0;     ///< as the trace has it
    Origin origin = Origin::Vector;
    std::optional<StageAt> from; ///< the stage whose row or number goes in
    /// Linear [in], Weighted [S]; LookUp {1, number}; Mean: what the head would give each real
    /// token · 1/their number; Pooled: its linear map's, or the mean's.
    std::vector<Term> terms;
    std::optional<ParameterId> weights; ///< the matrix that the terms' right numbers are of
    Index firstRow = 0;                 ///< of that matrix: the first term's
    Index column = 0;                   ///< of that matrix; of transposed embeddings the row
    bool isTransposed = false;          ///< tied: the matrix is the embeddings', row by row
    std::optional<float> bias;          ///< Linear: of the column
    std::optional<Index> word;          ///< LookUp: its number in the vocabulary
    std::vector<Addend> addends;
    std::optional<NormOrigin> norm;
    std::optional<RotationOrigin> rotation;
    std::optional<ActivationOrigin> activation;
    std::optional<ShareOrigin> share;
    std::optional<PooledOrigin> pooled;
    double sum = 0;            ///< worked out again in double; the value within float's rounding
    Index head = 0;            ///< Head: which one
    Index headDimension = 0;   ///< and which number of it
    std::vector<double> heads; ///< Output: what each head adds, [H]; with the bias they sum to it
};

/// Of the number at `row` and `column` of the selection's stage, which is there and is not over
/// keys.
CellExplanation originOf(const Trace &trace, const Selection &place, Index row, Index column);

/// A word and how probable it is.
struct LikelyWord {
    Index word = 0;
    float probability = 0;
};
/// The most probable words to stand at the token's place, the first ones first; none where the
/// model makes no probabilities.
std::vector<LikelyWord> likeliestWords(const Trace &trace, Index sequence, Index token,
                                       std::size_t count);

} // namespace headlight::core
