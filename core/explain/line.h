// A line of mathematics as data: symbols and numbers with their roles, and words that say what
// stands there. What shows it chooses the colours and the language.
#pragma once

#include "core/transformer/names/stage.h"

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace headlight::core {

/// What a line says in words. In the sentences %1, %2 are the arguments.
enum class Note {
    None,
    // of arithmetic
    Sequence,          ///< a row is a sequence
    TurnedByPosition,  ///< the row is turned by position %1
    DoesNotTurn,       ///< this dimension
    TurnsWith,         ///< with dimension %1: x·cos φ %2 y·sin φ, position %3
    BucketOfDistance,  ///< bucket %1 of the distance %2
    SetByHand,         ///< computed it would be %1
    StandsForHidden,   ///< %1 where a key is hidden
    Hidden,            ///< by the mask
    UniformOver,       ///< the head is uniform over the %1 keys in sight
    Silenced,          ///< the head
    Mean,              ///< the word
    MeanOfRealTokens,  ///< the same for every row
    MadeByHead,        ///< %1
    ColumnOf,          ///< column %1 of W_%2
    RowOfEmbeddings,   ///< row %1 of E
    MeanAndDeviation,  ///< μ = %1, σ = %2
    RootMeanSquare,    ///< %1
    StatisticsOfBatch, ///< mean and variance are of this column over all real tokens
    SumOverWords,      ///< the sum is over all %1 words
    // of formulas
    MaskWord,                     ///< the word: 1 where a key is visible, else 0
    OneVectorForEachWord,         ///< the same wherever it stands
    OneVectorForEachWordOfSource, ///< the same of the second sequence
    WhatTheLayerBeforeGave,
    PositionsAdded,         ///< each position adds its own vector
    TypesAdded,             ///< each type of token does
    PositionsAndTypesAdded, ///< both do
    ToTheLayersWidth,       ///< from the width of the embeddings
    OfWhatTheEncoderGives,
    OfTheSource,
    SharedByHeads, ///< %1 of %2: several heads share them
    TurnsByAngle,  ///< each pair of dimensions, by an angle that grows with i
    EveryDotProduct,
    DividedByRootOfHeadSize,
    DividedByRootOfWidth, ///< since the embeddings are the output matrix as well
    ScalingIsOff,
    SlopeOfHead,         ///< m = %1 in this head
    KeptBetween,         ///< −%1 and %1
    LearnedForDistances, ///< a number for each bucket, in every layer the same
    WhatDistanceAdds,
    InfinityHides, ///< M is −∞ where a key is hidden, else 0
    NumberHides,   ///< %1 takes the place of %2 where a key is hidden
    AlongEachRow,
    NoSoftmax,
    NoSoftmaxHidden, ///< 0 where a key is hidden by −∞
    UniformHead,     ///< the same for each of the n keys in sight
    HiddenIsZero,    ///< rows no longer sum to 1
    HeadIsSilenced,
    MeanOf, ///< the words
    OverRealTokens,
    LayerNormOfRows, ///< ε = %1
    RmsNormOfRows,   ///< ε = %1
    BatchNormLeaks,
    OfAllHeads,        ///< what is normalised together
    WhatWasReadGoesOn, ///< and what was made of it is added
    ActivationFormula, ///< of the Activation with the number %1
    OverAllWords,
    DotProductWithWords, ///< with each word's embedding
    FirstRowOf,          ///< the words
    LastRealRowOf,
    AsCaptured, ///< nobody knows how it was made
    MeanOfRealRowsOf,
    // of the whole formula
    UsualFormula,       ///< of a capture: nobody knows how it was made
    NumberHidesScore,   ///< %1 takes the place of a score where a key is hidden
    ScoresSetByHand,    ///< some are
    QueriesAndKeysTurn, ///< by their positions
    KeysOfEncoder,      ///< K and V are made from what the encoder gives
    KeysOfSource,       ///< K and V are made from the other sequence
    ValuesMadeFrom,     ///< Q, K and V are, with a formula behind it
    // of the way back
    MeanOfAnswers,      ///< the loss is the mean of −ln p of the %1 answers
    LossIs,             ///< %1
    OneWhereRight,      ///< Y is 1 at the right answer, else 0
    SumsOfRow,          ///< Σ is over the row
    NothingThroughMask, ///< what is hidden passes nothing back
    ThroughNorm,        ///< back through the norm of the row
    TurnedBack,         ///< by the angle that it was turned by
    NotWrittenOut,      ///< a part that is not
    NothingFlowsBack,   ///< to what the answers do not depend on
    // names of functions
    ActivationName, ///< of the Activation with the number %1
    NormName,       ///< of the NormKind with the number %1
};

/// A piece of a line.
struct Piece {
    enum class Kind {
        Plain,      ///< signs between the others
        Number,     ///< in its role's colour
        Result,     ///< the number that the line explains
        Symbol,     ///< of a matrix or a vector
        Beneath,    ///< what stands beneath the symbol before: W_Q
        Words,      ///< `note`
        RowName,    ///< the token, or the sequence, of row `index`
        ColumnName, ///< of column `index`: a token or a word
    };
    Kind kind = Kind::Plain;
    std::string text{};
    Role role = Role::Residual;
    Note note = Note::None;
    std::vector<std::string> arguments{};
    Index index = 0;
    bool isAside = false; ///< words in brackets, or a place: muted
};

using Line = std::vector<Piece>;

/// A number with so many decimals; a very large one in all its digits. An exact zero is "0".
std::string decimalText(double value, int decimals);
/// A number among others: two decimals; an exact zero is "0", what rounds to it "0.00".
std::string termText(double value);
/// A number that stands for itself: four decimals, and "0" likewise.
std::string resultText(double value);
/// Four digits that count, of numbers of any size: "0.1234", "−1.234·10⁻⁵".
std::string digitsText(double value);
/// A number of the model in all its digits: "0.125", "−∞".
std::string fullText(float value);

} // namespace headlight::core
