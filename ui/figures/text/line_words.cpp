// The translated words in a line of mathematics.
#include "ui/figures/text/line_spans.h"
#include "ui/words/stage_titles.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct LineWords {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Line)
};

/// Describes the activation as an elementwise formula.
QString formulaOf(core::Activation activation) {
    switch (activation) {
    case core::Activation::Relu:
        return LineWords::tr("number by number: max(0, x)");
    case core::Activation::Gelu:
        return LineWords::tr(
            "number by number: x · Φ(x), the share of a normal distribution below x");
    case core::Activation::GeluTanh:
        return LineWords::tr("number by number: ½x · (1 + tanh(√(2/π) · (x + 0.044715x³)))");
    case core::Activation::Silu:
        return LineWords::tr("number by number: x / (1 + e⁻ˣ)");
    case core::Activation::QuickGelu:
        return LineWords::tr("number by number: x · σ(1.702·x)");
    case core::Activation::SquaredRelu:
        return LineWords::tr("number by number: max(0, x)²");
    }
    return {};
}

/// Returns the sentence with placeholders %1, %2 for the arguments.
QString sentenceOf(core::Note note) {
    using enum core::Note;
    switch (note) {
    case Sequence:
        return LineWords::tr("sequence %1");
    case TurnedByPosition:
        return LineWords::tr("rotated by position %1");
    case DoesNotTurn:
        return LineWords::tr("this dimension is not rotated");
    case TurnsWith:
        return LineWords::tr("with dimension %1: x·cos φ %2 y·sin φ, position %3");
    case BucketOfDistance:
        return LineWords::tr("bucket %1 of the distance %2");
    case SetByHand:
        return LineWords::tr("overridden; computed: %1");
    case StandsForHidden:
        return LineWords::tr("%1 where a key is hidden");
    case Hidden:
        return LineWords::tr("hidden");
    case UniformOver:
        return LineWords::tr("the head is uniform over the visible keys: %1");
    case Silenced:
    case HeadIsSilenced:
        return LineWords::tr("the head is silenced");
    case Mean:
        return LineWords::tr("mean");
    case MeanOfRealTokens:
        return LineWords::tr("of the real tokens: the same for every row");
    case MadeByHead:
        return LineWords::tr("from head %1");
    case ColumnOf:
        return LineWords::tr("column %1 of W_%2");
    case RowOfEmbeddings:
        return LineWords::tr("row %1 of E");
    case MeanAndDeviation:
        return QStringLiteral("μ = %1, σ = %2");
    case RootMeanSquare:
        return LineWords::tr("root of the mean square: %1");
    case StatisticsOfBatch:
        return LineWords::tr("mean and variance of this column over all real tokens of the batch");
    case SumOverWords:
        return LineWords::tr("the sum over all %1 words");
    case OneVectorForEachWord:
        return LineWords::tr("one vector for each word, the same in every position");
    case OneVectorForEachWordOfSource:
        return LineWords::tr("one vector for each word of the source");
    case WhatTheLayerBeforeGave:
        return LineWords::tr("the output of the layer before");
    case PositionsAdded:
        return LineWords::tr("each position adds its own vector");
    case TypesAdded:
        return LineWords::tr("each type of token adds its own vector");
    case PositionsAndTypesAdded:
        return LineWords::tr("each position and each type of token adds its own vector");
    case ToTheLayersWidth:
        return LineWords::tr("from the width of the embeddings to that of the layers");
    case OfWhatTheEncoderGives:
        return LineWords::tr("of the encoder's output");
    case OfTheSource:
        return LineWords::tr("of the source");
    case SharedByHeads:
        return LineWords::tr("%1 of %2: several heads share them");
    case TurnsByAngle:
        return LineWords::tr(
            "each pair of dimensions of token i is rotated by an angle that grows with i");
    case EveryDotProduct:
        return LineWords::tr("each query's dot product with each key");
    case DividedByRootOfHeadSize:
        return LineWords::tr("divided by the square root of the head size");
    case DividedByRootOfWidth:
        return LineWords::tr(
            "divided by the square root of the width, since the embeddings are the "
            "output matrix as well");
    case ScalingIsOff:
        return LineWords::tr("scaling is off");
    case KeptBetween:
        return LineWords::tr("limited to −%1 … %1; small values hardly change");
    case SlopeOfHead:
        return LineWords::tr("m = %1 in this head: distant keys count less");
    case LearnedForDistances:
        return LineWords::tr(
            "a learned number for each bucket of distances, in every layer the same");
    case WhatDistanceAdds:
        return LineWords::tr("the position bias, added to each score");
    case InfinityHides:
        return LineWords::tr("M is −∞ where a key is hidden, else 0");
    case NumberHides:
        return LineWords::tr("%1 replaces %2 where a key is hidden");
    case AlongEachRow:
        return LineWords::tr("along each row");
    case NoSoftmax:
        return LineWords::tr("no softmax");
    case NoSoftmaxHidden:
        return LineWords::tr("no softmax; 0 where a key is hidden by −∞");
    case UniformHead:
        return LineWords::tr("the head is uniform: the same for each of the n visible keys");
    case MaskWord:
        return LineWords::tr("mask");
    case HiddenIsZero:
        return LineWords::tr("0 where a key is hidden: rows no longer sum to 1");
    case MeanOf:
        return LineWords::tr("mean of");
    case OverRealTokens:
        return LineWords::tr("over the real tokens, the same for every row");
    case LayerNormOfRows:
        return LineWords::tr("mean and variance of each row by itself; ε = %1");
    case RmsNormOfRows:
        return LineWords::tr("of each row by itself; nothing is subtracted; ε = %1");
    case BatchNormLeaks:
        return LineWords::tr(
            "statistics of each column over all real tokens of the batch: it leaks "
            "across sentences and from the future");
    case OfAllHeads:
        return LineWords::tr("over all heads together");
    case WhatWasReadGoesOn:
        return LineWords::tr("residual connection: the block's output is added to its input");
    case OverAllWords:
        return LineWords::tr("over all words, along each row");
    case DotProductWithWords:
        return LineWords::tr("the dot product with each word's embedding");
    case AsCaptured:
        return LineWords::tr("as it was captured");
    case FirstRowOf:
        return LineWords::tr("first row of");
    case LastRealRowOf:
        return LineWords::tr("last real row of");
    case MeanOfRealRowsOf:
        return LineWords::tr("mean of the real rows of");
    case UsualFormula:
        return LineWords::tr("the usual computation; captured stages are links");
    case NumberHidesScore:
        return LineWords::tr("M: %1 replaces a score where a key is hidden");
    case ScoresSetByHand:
        return LineWords::tr("some scores are overridden");
    case QueriesAndKeysTurn:
        return LineWords::tr("Q and K are rotated by their positions");
    case KeysOfEncoder:
        return LineWords::tr("K and V are computed from the encoder's output");
    case KeysOfSource:
        return LineWords::tr("K and V are computed from the source");
    case ValuesMadeFrom:
        return LineWords::tr("Q, K and V are computed from");
    case None:
    case MeanOfAnswers:
        return LineWords::tr("the loss is the mean of −ln p of the right answers: %1");
    case LossIs:
        return LineWords::tr("loss = %1");
    case OneWhereRight:
        return LineWords::tr("Y is 1 at the right answer, else 0");
    case SumsOfRow:
        return LineWords::tr("Σ is over the row");
    case NothingThroughMask:
        return LineWords::tr("hidden cells pass no gradient back");
    case ThroughNorm:
        return LineWords::tr("back through the norm of the row");
    case TurnedBack:
        return LineWords::tr("rotated back by the token's angle");
    case NothingFlowsBack:
        return LineWords::tr("the loss does not depend on it");
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
    // Replaces by number because a sentence may not use all arguments.
    QString sentence = sentenceOf(note);
    for (std::size_t i = 0; i < arguments.size(); ++i)
        sentence.replace(QStringLiteral("%%1").arg(i + 1), QString::fromStdString(arguments[i]));
    return sentence;
}

} // namespace headlight::ui
