// The translated words in a line of mathematics.
#include "ui/figures/text/line_spans.h"
#include "ui/text/stage_titles.h"
#include "ui/text/step_number.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct LineText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Line)
};

/// Describes the activation as an elementwise formula.
QString formulaOf(core::Activation activation) {
    switch (activation) {
    case core::Activation::Relu:
        return LineText::tr("number by number: max(0, x)");
    case core::Activation::Gelu:
        return LineText::tr("number by number: x · Φ(x), with the normal distribution function Φ");
    case core::Activation::GeluTanh:
        return LineText::tr("number by number: ½x · (1 + tanh(√(2/π) · (x + 0.044715x³)))");
    case core::Activation::Silu:
        return LineText::tr("number by number: x / (1 + e⁻ˣ)");
    case core::Activation::QuickGelu:
        return LineText::tr("number by number: x · σ(1.702·x)");
    case core::Activation::SquaredRelu:
        return LineText::tr("number by number: max(0, x)²");
    }
    return {};
}

/// Returns the sentence, with the placeholders %1 and %2 for the arguments.
QString sentenceOf(core::Note note) {
    using enum core::Note;
    switch (note) {
    case Sequence:
        return LineText::tr("sentence %1");
    case TurnedByPosition:
        return LineText::tr("rotated by position %1");
    case DoesNotTurn:
        return LineText::tr("this dimension is not rotated");
    case TurnsWith:
        return LineText::tr("with dimension %1: x·cos φ %2 y·sin φ, position %3");
    case BucketOfDistance:
        return LineText::tr("bucket %1, for distance %2");
    case SetByHand:
        return LineText::tr("overridden; computed: %1");
    case StandsForHidden:
        return LineText::tr("%1 where a key is hidden");
    case Hidden:
        return LineText::tr("hidden");
    case UniformOver:
        return LineText::tr("the head is uniform over the visible keys: %1");
    case Silenced:
    case HeadIsSilenced:
        return LineText::tr("the head is silenced");
    case Mean:
        return LineText::tr("mean");
    case Sum:
        return LineText::tr("sum");
    case MeanOfRealTokens:
        return LineText::tr("averaged over the real tokens, the same for every row");
    case MadeByHead:
        return LineText::tr("from head %1");
    case ColumnOf:
        return LineText::tr("column %1 of W_%2");
    case ColumnOfHead:
        return LineText::tr("column %1 of W_%2, head %3");
    case ColumnOfHeads:
        return LineText::tr("column %1 of W_%2, heads %3 to %4");
    case RowOfEmbeddings:
        return LineText::tr("row %1 of E");
    case MeanAndDeviation:
        return QStringLiteral("μ = %1, σ = %2");
    case RootMeanSquare:
        return LineText::tr("root mean square: %1");
    case StatisticsOfBatch:
        return LineText::tr("mean and variance of this column over all real tokens of the batch");
    case SumOverWords:
        return LineText::tr("the sum over all %1 words");
    case SinkTakes:
        return LineText::tr("the head's sink, %1, takes a share of %2 of the row");
    case ColumnOfDistance:
        return LineText::tr("column %1, for distance %2");
    case SharedByAllHeads:
        return LineText::tr("the same in all heads");
    case OfTheHeadAlone:
        return LineText::tr("of this head only");
    case TunedByPosition:
        return LineText::tr("multiplied by the factor of position %1");
    case ReadByExpert:
        return LineText::tr("for expert %1");
    case ExpertNotChosen:
        return LineText::tr("the token has not chosen expert %1");
    case MadeByExpert:
        return LineText::tr("from expert %1");
    case GateIsLimited:
        return LineText::tr("the gate is at most %1, the other factor −%1 … %1");
    case ChosenByScores:
        return LineText::tr("the experts with the %1 largest scores; the others are 0");
    case ChosenInGroups:
        return LineText::tr(
            "only in the %1 of %2 groups whose two largest scores have the largest sums");
    case AddedForChoice:
        return LineText::tr("b is added only to choose experts, not to compute their weights");
    case EachByItself:
        return LineText::tr("each number separately, so a row does not add up to 1");
    case NetworkForAllTokens:
        return LineText::tr("the output of a network that processes every token is added to that "
                            "of the chosen experts");
    case FirstOnesShared:
        return LineText::tr("the first %1 columns are the same in all heads");
    case NeighboursSideBySide:
        return LineText::tr(
            "each frame with its neighbours side by side; 0 before the first and after the last");
    case FromTokenAt:
        return LineText::tr("from token %1");
    case NoTokenThere:
        return LineText::tr("0, because there is no token before the first or after the last");
    case LargestKept:
        return LineText::tr("the largest %1 of each row; the others are 0");
    case ExpertsSideBySide:
        return LineText::tr("%1 experts side by side; 0 where a token has not chosen one");
    case OverChosenExperts:
        return LineText::tr("the outputs of the chosen experts, times their weights");
    case OverChosenExpertsUnweighted:
        return LineText::tr("the outputs of the chosen experts");
    case InputsOfExperts:
        return LineText::tr("the inputs of %1 experts, side by side");
    case OneVectorForEachWord:
        return LineText::tr("one vector for each word, the same at every position");
    case OneVectorForEachWordOfSource:
        return LineText::tr("one vector for each word of the source");
    case WhatTheLayerBeforeGave:
        return LineText::tr("the previous layer's output");
    case PositionsAdded:
        return LineText::tr("each position adds its own vector");
    case TypesAdded:
        return LineText::tr("each type of token adds its own vector");
    case PositionsAndTypesAdded:
        return LineText::tr("each position and each type of token adds its own vector");
    case ToTheLayersWidth:
        return LineText::tr("maps embeddings to the layers' width");
    case OfWhatTheEncoderGives:
        return LineText::tr("computed from the encoder's output");
    case OfTheSource:
        return LineText::tr("computed from the source");
    case SharedByHeads:
        return LineText::tr("head %1 of %2, shared by several query heads");
    case TurnsByAngle:
        return LineText::tr(
            "each pair of dimensions of token i is rotated by an angle that grows with i");
    case TunedByPositions:
        return LineText::tr("τ = 1 + %1 · ln(1 + ⌊(i + 1) ÷ %2⌋) for the query at position i");
    case EveryDotProduct:
        return LineText::tr("each query's dot product with each key");
    case QueriesWithDistances:
        return LineText::tr("each query's dot product with the key of each distance");
    case KeysWithDistances:
        return LineText::tr("each key's dot product with the query of each distance");
    case DividedByRootOfHeadSize:
        return LineText::tr("divided by the square root of the head size");
    case DividedByRootOfAddends:
        return LineText::tr("%1 times the head size, as a score is the sum of %1 products");
    case DividedByRootOfWidth:
        return LineText::tr("divided by the square root of the width, because the embeddings are "
                            "also the output matrix");
    case ScalingIsOff:
        return LineText::tr("scaling is off");
    case KeptBetween:
        return LineText::tr("limited to −%1 … %1; small values hardly change");
    case SlopeOfHead:
        return LineText::tr("m = %1 in this head: distant keys count less");
    case LearnedForDistances:
        return LineText::tr(
            "a learned number for each bucket of distances, the same in every layer");
    case VectorForDistances:
        return LineText::tr("a learned vector for each distance, the same in every layer");
    case PickedForQueries:
        return LineText::tr("in each query's row, the column for its distance to the key");
    case PickedForKeys:
        return LineText::tr("in each key's row, the column for the query's distance to it");
    case WhatDistanceAdds:
        return LineText::tr("the position bias, added to each score");
    case InfinityHides:
        return LineText::tr("M is −∞ where a key is hidden, else 0");
    case NumberHides:
        return LineText::tr("%1 replaces %2 where a key is hidden");
    case AlongEachRow:
        return LineText::tr("along each row");
    case SinkIsNoToken:
        return LineText::tr("the column of s, the head's sink, which is not a token");
    case SinkTakesPart:
        return LineText::tr("s, the head's sink, is one more score of each row, without a key");
    case NoSoftmax:
        return LineText::tr("no softmax");
    case NoSoftmaxHidden:
        return LineText::tr("no softmax; 0 where a key is hidden by −∞");
    case UniformHead:
        return LineText::tr("the head is uniform: each of the n visible keys gets the same weight");
    case MaskWord:
        return LineText::tr("mask");
    case HiddenIsZero:
        return LineText::tr("0 where a key is hidden, so rows no longer sum to 1");
    case MeanOf:
        return LineText::tr("mean of");
    case OverRealTokens:
        return LineText::tr("over the real tokens, the same for every row");
    case LayerNormOfRows:
        return LineText::tr("mean and variance of each row; ε = %1");
    case RmsNormOfRows:
        return LineText::tr("root mean square of each row, without subtracting the mean; ε = %1");
    case BatchNormLeaks:
        return LineText::tr("statistics of each column over all real tokens of the batch, which "
                            "leak across sentences and from the future");
    case OfAllHeads:
        return LineText::tr("over all heads together");
    case WhatWasReadGoesOn:
        return LineText::tr("residual connection: the block's output plus its input");
    case OverAllWords:
        return LineText::tr("over all words, along each row");
    case DotProductWithWords:
        return LineText::tr("the dot product with each word's embedding");
    case AsCaptured:
        return LineText::tr("as it was captured");
    case FirstRowOf:
        return LineText::tr("first row of");
    case SecondRowOf:
        return LineText::tr("second row of");
    case RowOfLargestId:
        return LineText::tr("row of the largest id of");
    case LastRealRowOf:
        return LineText::tr("last real row of");
    case MeanOfRealRowsOf:
        return LineText::tr("mean of the real rows of");
    case UsualFormula:
        return LineText::tr("the usual computation; captured stages are links");
    case NumberHidesScore:
        return LineText::tr("M: %1 replaces a score where a key is hidden");
    case ScoresSetByHand:
        return LineText::tr("some scores are overridden");
    case QueriesAndKeysTurn:
        return LineText::tr("Q and K are rotated by their positions");
    case KeysOfEncoder:
        return LineText::tr("K and V are computed from the encoder's output");
    case KeysOfSource:
        return LineText::tr("K and V are computed from the source");
    case ValuesMadeFrom:
        return LineText::tr("Q, K and V are computed from");
    case None:
        return {};
    case MeanOfAnswers:
        return LineText::tr("the loss is the mean of −ln p of the right answers: %1");
    case LossIs:
        return LineText::tr("loss = %1");
    case OneWhereRight:
        return LineText::tr("Y is 1 at the right answer, else 0");
    case SumsOfRow:
        return LineText::tr("Σ is over the row");
    case NothingThroughMask:
        return LineText::tr("hidden cells pass no gradient back");
    case ThroughNorm:
        return LineText::tr("back through the norm of the row");
    case TurnedBack:
        return LineText::tr("rotated back by the token's angle");
    case NothingFlowsBack:
        return LineText::tr("the loss does not depend on this value");
    case ActivationName:
    case ActivationFormula:
    case NormName:
        break;
    }
    return {};
}

} // namespace

QString wordsOf(core::Note note, const std::vector<std::string> &arguments) {
    const auto number = [&] { return std::stoi(arguments.at(0)); };
    if (note == core::Note::ActivationName)
        return titleOf(static_cast<core::Activation>(number()));
    if (note == core::Note::ActivationFormula)
        return formulaOf(static_cast<core::Activation>(number()));
    if (note == core::Note::NormName)
        return titleOf(static_cast<core::NormKind>(number()));
    if (note == core::Note::Sequence)
        return sentenceOf(note).arg(stepNumber(number()));
    // QString::arg() cannot be used, because a sentence may not have all placeholders.
    QString sentence = sentenceOf(note);
    for (std::size_t i = 0; i < arguments.size(); ++i)
        sentence.replace(QStringLiteral("%%1").arg(i + 1), QString::fromStdString(arguments[i]));
    return sentence;
}

} // namespace headlight::ui
