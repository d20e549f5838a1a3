// A line of mathematics as data: symbols and values with their roles, and annotations. The view
// chooses colours and language.
#pragma once

#include "core/transformer/model/parameter_id.h"
#include "core/transformer/names/stage.h"

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight::core {

/// A text annotation of a line. %1 to %4 are its arguments.
enum class Note {
    None,
    // For arithmetic
    Sequence,          ///< the row is sequence %1
    TurnedByPosition,  ///< the row is rotated by position %1
    DoesNotTurn,       ///< this dimension is not rotated
    TurnsWith,         ///< rotated with dimension %1: x·cos φ %2 y·sin φ, position %3
    BucketOfDistance,  ///< bucket %1 of distance %2
    SetByHand,         ///< the computed value would be %1
    StandsForHidden,   ///< %1 replaces hidden scores
    Hidden,            ///< hidden by the mask
    UniformOver,       ///< the head is uniform over the %1 visible keys
    Silenced,          ///< the head is ablated
    Mean,              ///< the word "mean"
    Sum,               ///< the word "sum" in front of a value; Σ is only the operator
    MeanOfRealTokens,  ///< mean over the real tokens, equal in every row
    MadeByHead,        ///< computed by head %1
    ColumnOf,          ///< column %1 of W_%2
    ColumnOfHead,      ///< column %1 of head %3's part of W_%2, which figures show alone
    ColumnOfHeads,     ///< column %1 of W_%2's part that heads %3 to %4 share
    RowOfEmbeddings,   ///< row %1 of E
    MeanAndDeviation,  ///< μ = %1, σ = %2
    RootMeanSquare,    ///< root mean square = %1
    StatisticsOfBatch, ///< mean and variance are computed over all real tokens of this column
    SumOverWords,      ///< the sum is over all %1 words
    SinkTakes,         ///< the head's sink, %1, takes the share %2 of the row
    SharedByAllHeads,  ///< the same value in all heads
    OfTheHeadAlone,
    ColumnOfDistance, ///< the value is in column %1, which belongs to distance %2
    TunedByPosition,  ///< the query at position %1 is multiplied by this factor
    ReadByExpert,     ///< the input of expert %1
    ExpertNotChosen,  ///< the router has not chosen expert %1, so the value is 0
    MadeByExpert,     ///< computed by expert %1
    // For formulas
    MaskWord,                     ///< the word "mask": 1 if a key is visible, else 0
    OneVectorForEachWord,         ///< a word has the same vector at every position
    OneVectorForEachWordOfSource, ///< each word of the other sequence has one vector
    WhatTheLayerBeforeGave,
    PositionsAdded,         ///< each position adds its own vector
    TypesAdded,             ///< each token type adds its own vector
    PositionsAndTypesAdded, ///< positions and token types add their own vectors
    ToTheLayersWidth,       ///< maps the embedding width to the layer width
    OfWhatTheEncoderGives,
    OfTheSource,
    SharedByHeads, ///< head %1 of %2, shared by several query heads
    TurnsByAngle,  ///< rotates each pair of dimensions by an angle that grows with position i
    TunedByPositions, ///< τ = 1 + %1 · ln(1 + ⌊(i + 1) ÷ %2⌋) multiplies the query at position i
    EveryDotProduct,
    QueriesWithDistances,
    KeysWithDistances,
    DividedByRootOfHeadSize,
    DividedByRootOfAddends, ///< divided by √(%1 · head size); a score is the sum of %1 products
    DividedByRootOfWidth, ///< divided by √width, because the embeddings are also the output matrix
    ScalingIsOff,
    SlopeOfHead,         ///< m = %1 in this head
    KeptBetween,         ///< limited to −%1 … %1
    LearnedForDistances, ///< a parameter for each bucket, shared by all layers
    WhatDistanceAdds,
    VectorForDistances, ///< a learned vector for each distance, shared by all layers
    PickedForQueries,   ///< takes from each query's row the column of its distance to the key
    PickedForKeys,      ///< takes from each key's row the column of the query's distance to it
    InfinityHides,      ///< M is −∞ if a key is hidden, else 0
    NumberHides,        ///< %1 replaces %2 if a key is hidden
    AlongEachRow,
    SinkTakesPart, ///< softmax includes the sink, an extra score that belongs to no key
    SinkIsNoToken, ///< the column of s, the head's sink, belongs to no token
    NoSoftmax,
    NoSoftmaxHidden, ///< the weight is 0 if the key is hidden by −∞
    UniformHead,     ///< the weight is equal for each of the n visible keys
    HiddenIsZero,    ///< hidden weights are 0, so rows no longer sum to 1
    HeadIsSilenced,
    MeanOf, ///< the words "mean of"
    OverRealTokens,
    LayerNormOfRows, ///< ε = %1
    RmsNormOfRows,   ///< ε = %1
    BatchNormLeaks,
    OfAllHeads,        ///< normalised over all heads together
    WhatWasReadGoesOn, ///< residual connection: adds the input
    ActivationFormula, ///< for Activation %1 (as an integer)
    OverAllWords,
    GateIsLimited,  ///< limits the gate to at most %1, and its factor to −%1 … %1
    ChosenByScores, ///< only the experts with the %1 largest scores; other weights are 0
    ChosenInGroups, ///< only in the %1 of %2 groups whose two largest scores have the largest sums
    AddedForChoice, ///< b affects only the choice of experts, not their weights
    EachByItself,   ///< each value is computed separately, so a row does not sum to 1
    NetworkForAllTokens,  ///< a network that all tokens use is added to the experts
    FirstOnesShared,      ///< the first %1 columns are the same in all heads
    NeighboursSideBySide, ///< frames of neighbouring tokens side by side; 0 beyond the ends
    FromTokenAt,          ///< read from token %1
    NoTokenThere,         ///< 0, because the sequence ends there
    LargestKept,          ///< keeps the %1 largest values of each row; the others are 0
    ExpertsSideBySide, ///< %1 experts side by side; 0 for tokens for which an expert is not chosen
    OverChosenExperts,
    OverChosenExpertsUnweighted, ///< the inputs have already been multiplied by the weights
    InputsOfExperts,             ///< the inputs of %1 experts side by side, times their weights
    DotProductWithWords,         ///< dot product with each word's embedding
    FirstRowOf,                  ///< the words "first row of"
    SecondRowOf,
    RowOfLargestId,
    LastRealRowOf,
    AsCaptured, ///< the computation of a captured stage is unknown
    MeanOfRealRowsOf,
    // For the complete formula
    UsualFormula,       ///< the usual formula, for captures, whose computation is unknown
    NumberHidesScore,   ///< %1 replaces the score if a key is hidden
    ScoresSetByHand,    ///< some scores are overridden
    QueriesAndKeysTurn, ///< queries and keys are rotated by their positions
    KeysOfEncoder,      ///< K and V are computed from the encoder's output
    KeysOfSource,       ///< K and V are computed from the other sequence
    ValuesMadeFrom,     ///< Q, K and V are computed by the formula that follows
    // For the backward pass
    MeanOfAnswers,      ///< the loss is the mean of −ln p of the %1 targets
    LossIs,             ///< the loss is %1
    OneWhereRight,      ///< Y is 1 at the target, else 0
    SumsOfRow,          ///< Σ is over the row
    NothingThroughMask, ///< hidden cells pass no gradient
    ThroughNorm,        ///< the gradient passes back through the norm of the row
    TurnedBack,         ///< rotated back by the same angle
    NothingFlowsBack,   ///< no target depends on this value
    // Names of functions
    ActivationName, ///< for Activation %1 (as an integer)
    NormName,       ///< for NormKind %1 (as an integer)
};

/// The origin of a value in a line: a cell of a stage, or of a parameter.
struct NumberOrigin {
    StageId at{};                         ///< the stage that has the value, or uses the parameter
    std::optional<ParameterId> parameter; ///< if set, row and column are indices in the head's part
    Index sequence = 0;
    std::optional<Index> head; ///< none: the selected head
    Index row = 0, column = 0;
    bool operator==(const NumberOrigin &) const = default;
};

/// A piece of a line.
struct Piece {
    enum class Kind {
        Plain,      ///< punctuation and operators
        Number,     ///< a value in the colour of its role
        Result,     ///< the value that the line explains
        Symbol,     ///< a matrix or a vector
        Beneath,    ///< subscript of the preceding symbol: W_Q
        Words,      ///< words of `note`
        RowName,    ///< name of row `index`: a token or a sequence
        ColumnName, ///< name of column `index`: a token or a word
    };
    Kind kind = Kind::Plain;
    std::string text{};
    Role role = Role::Residual;
    Note note = Note::None;
    std::vector<std::string> arguments{};
    Index index = 0;
    bool isAside = false; ///< shown muted, such as a remark in brackets or a position
    /// Number of the term of a sum that the piece belongs to, from 1; 0: none. A term begins with
    /// its sign.
    int term = 0;
    double termValue = 0; ///< value that the term adds to the sum; NaN for a vector
    double termSize = 0;  ///< absolute size, by which terms are ranked; NaN: unknown
    /// Number of the vector that the piece belongs to, from 1 (0: none), and the element in it.
    int vector = 0;
    Index element = 0;
    std::optional<NumberOrigin> origin{};
};

using Line = std::vector<Piece>;

/// Formats a number with `decimals` decimals, or with all digits if it is very large. An exact zero
/// is "0".
std::string decimalText(double value, int decimals);
/// Returns the number that decimalText() shows.
double decimalValue(double value, int decimals);
/// Formats a number in a sum with two decimals. An exact zero is "0"; other values that round to
/// zero are "0.00".
std::string termText(double value);
/// Formats a single number with four decimals, otherwise like termText().
std::string resultText(double value);
/// Formats a number of any size with four significant digits: "0.1234", "−1.234·10⁻⁵".
std::string digitsText(double value);
/// Formats a number of the model with all its digits: "0.125", "−∞".
std::string fullText(float value);

} // namespace headlight::core
