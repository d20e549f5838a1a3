// What a line of mathematics says in words.
#include "ui/figures/line_spans.h"
#include "ui/figures/stage_titles.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Line)
};

/// Number by number.
QString formulaOf(core::Activation activation) {
    switch (activation) {
    case core::Activation::Relu:
        return Words::tr("number by number: max(0, x)");
    case core::Activation::Gelu:
        return Words::tr("number by number: x · Φ(x), the share of a normal distribution below x");
    case core::Activation::GeluTanh:
        return Words::tr("number by number: ½x · (1 + tanh(√(2/π) · (x + 0.044715x³)))");
    case core::Activation::Silu:
        return Words::tr("number by number: x / (1 + e⁻ˣ)");
    }
    return {};
}

/// With %1, %2 for the arguments.
QString sentenceOf(core::Note note) {
    using enum core::Note;
    switch (note) {
    case Sequence:
        return Words::tr("sequence ");
    case TurnedByPosition:
        return Words::tr("turned by position %1");
    case DoesNotTurn:
        return Words::tr("this dimension does not turn");
    case TurnsWith:
        return Words::tr("with dimension %1: x·cos φ %2 y·sin φ, position %3");
    case BucketOfDistance:
        return Words::tr("bucket %1 of the distance %2");
    case SetByHand:
        return Words::tr("set by hand; computed: %1");
    case StandsForHidden:
        return Words::tr("%1 where a key is hidden");
    case Hidden:
        return Words::tr("hidden");
    case UniformOver:
        return Words::tr("the head is uniform over the keys in sight: %1");
    case Silenced:
    case HeadIsSilenced:
        return Words::tr("the head is silenced");
    case Mean:
        return Words::tr("mean");
    case MeanOfRealTokens:
        return Words::tr("of the real tokens: the same for every row");
    case MadeByHead:
        return Words::tr("made by head %1");
    case ColumnOf:
        return Words::tr("column %1 of W_%2");
    case RowOfEmbeddings:
        return Words::tr("row %1 of E");
    case MeanAndDeviation:
        return QStringLiteral("μ = %1, σ = %2");
    case RootMeanSquare:
        return Words::tr("root of the mean square: %1");
    case StatisticsOfBatch:
        return Words::tr("mean and variance of this column over all real tokens of the batch");
    case SumOverWords:
        return Words::tr("the sum over all %1 words");
    case OneVectorForEachWord:
        return Words::tr("one vector for each word, the same wherever it stands");
    case OneVectorForEachWordOfSource:
        return Words::tr("one vector for each word of the source");
    case WhatTheLayerBeforeGave:
        return Words::tr("what the layer before it gave");
    case PositionsAdded:
        return Words::tr("each position adds its own vector");
    case TypesAdded:
        return Words::tr("each type of token adds its own vector");
    case PositionsAndTypesAdded:
        return Words::tr("each position and each type of token adds its own vector");
    case ToTheLayersWidth:
        return Words::tr("from the width of the embeddings to that of the layers");
    case OfWhatTheEncoderGives:
        return Words::tr("of what the encoder gives");
    case OfTheSource:
        return Words::tr("of the source");
    case SharedByHeads:
        return Words::tr("%1 of %2: several heads share them");
    case TurnsByAngle:
        return Words::tr(
            "each pair of dimensions of token i turned by an angle that grows with i");
    case EveryDotProduct:
        return Words::tr("each query's dot product with each key");
    case DividedByRootOfHeadSize:
        return Words::tr("divided by the square root of the head size");
    case DividedByRootOfWidth:
        return Words::tr("divided by the square root of the width, since the embeddings are the "
                         "output matrix as well");
    case ScalingIsOff:
        return Words::tr("scaling is off");
    case SlopeOfHead:
        return Words::tr("m = %1 in this head: what is far counts less");
    case LearnedForDistances:
        return Words::tr("a learned number for each bucket of distances, in every layer the same");
    case WhatDistanceAdds:
        return Words::tr("what the distance adds to each score");
    case InfinityHides:
        return Words::tr("M is −∞ where a key is hidden, else 0");
    case NumberHides:
        return Words::tr("%1 takes the place of %2 where a key is hidden");
    case AlongEachRow:
        return Words::tr("along each row");
    case NoSoftmax:
        return Words::tr("no softmax");
    case NoSoftmaxHidden:
        return Words::tr("no softmax; 0 where a key is hidden by −∞");
    case UniformHead:
        return Words::tr("the head is uniform: the same for each of the n keys in sight");
    case InSight:
        return Words::tr("in sight");
    case HiddenIsZero:
        return Words::tr("0 where a key is hidden: rows no longer sum to 1");
    case MeanOf:
        return Words::tr("mean of");
    case OverRealTokens:
        return Words::tr("over the real tokens, the same for every row");
    case LayerNormOfRows:
        return Words::tr("mean and variance of each row by itself; ε = %1");
    case RmsNormOfRows:
        return Words::tr("of each row by itself; nothing is subtracted; ε = %1");
    case BatchNormLeaks:
        return Words::tr("statistics of each column over all real tokens of the batch: it leaks "
                         "across sentences and future");
    case WhatWasReadGoesOn:
        return Words::tr("what was read goes on, and what was made of it is added");
    case OverAllWords:
        return Words::tr("over all words, along each row");
    case DotProductWithWords:
        return Words::tr("the dot product with each word's embedding");
    case FirstRowOf:
        return Words::tr("first row of");
    case LastRealRowOf:
        return Words::tr("last real row of");
    case MeanOfRealRowsOf:
        return Words::tr("mean of the real rows of");
    case None:
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
    // By their numbers: a sentence need not use them all.
    QString sentence = sentenceOf(note);
    for (std::size_t i = 0; i < arguments.size(); ++i)
        sentence.replace(QStringLiteral("%%1").arg(i + 1), QString::fromStdString(arguments[i]));
    return sentence;
}

} // namespace headlight::ui
