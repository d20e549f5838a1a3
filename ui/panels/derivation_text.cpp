// The names of a derivation's numbers, and the sentences of its notes.
#include "ui/panels/derivation_text.h"

#include "ui/text/sentences.h"
#include "ui/text/stage_titles.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

using core::Derivation;
using core::Expression;
using core::Note;
using Q = core::Quantity;

struct DerivationText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Inspector)
};

/// Calls `visit` with each note of the remarks and of the functions in the expression, and with the
/// note's arguments.
void forEachNote(const Derivation &cell,
                 const std::function<void(Note, const std::vector<std::string> &)> &visit) {
    for (const core::Remark &one : cell.remarks)
        visit(one.note, one.arguments);
    const std::function<void(const Expression &)> names = [&](const Expression &x) {
        if (x.is(Expression::Kind::Call))
            visit(x.name, x.arguments);
        for (const Expression &part : x.of)
            names(part);
    };
    names(cell.expression);
}

QString whole(const Derivation &cell, Q quantity) {
    return QString::fromStdString(cell.wholeText(quantity));
}

/// Returns the sentence of a note; empty if the derivation needs none.
QString sentenceOf(Note note, const std::vector<std::string> &arguments, const Derivation &cell) {
    const auto argument = [&](std::size_t which) {
        return QString::fromStdString(arguments.at(which));
    };
    switch (note) {
    case Note::OneVectorForEachWord:
    case Note::OneVectorForEachWordOfSource:
        return cell.find(Q::Word)
                   ? DerivationText::tr("Word %1 of the vocabulary: its one-hot row, with a 1 at "
                                        "%1 and 0 elsewhere, times E is row %1 of E.")
                         .arg(whole(cell, Q::Word))
                   : QString();
    case Note::BatchNormLeaks:
        return DerivationText::tr(
                   "Batch norm: mean and deviation of this channel are taken over %1 real tokens "
                   "of %2 sequences. So a token's number depends on other sentences and, even with "
                   "a causal mask, on later tokens. This is a leak.")
            .arg(whole(cell, Q::Count), whole(cell, Q::Sequences));
    case Note::RmsNormOfRows:
        return DerivationText::tr("RMS norm: divided by the root mean square of the token's %1 "
                                  "numbers; the mean is not subtracted.")
            .arg(whole(cell, Q::Count));
    case Note::LayerNormOfRows:
        return DerivationText::tr(
                   "Layer norm: mean and deviation are taken over the token's own %1 numbers.")
            .arg(whole(cell, Q::Count));
    case Note::DotProductWithWords:
        return DerivationText::tr(
            "The output matrix is tied: it is the transposed embedding matrix.");
    case Note::TurnsWith: {
        const core::Index own = cell.made.column.value_or(0);
        const core::Index partner = cell.whole(Q::OtherIndex).value_or(own);
        return DerivationText::tr(
                   "Dimensions %1 and %2 are rotated together, by an angle that grows with the "
                   "position. So a score depends on the distance between two tokens.")
            .arg(std::min(own, partner))
            .arg(std::max(own, partner));
    }
    case Note::ColumnOfDistance:
        return DerivationText::tr("The distance, query − key, is %1, and column %2 belongs to it.")
            .arg(argument(1), argument(0));
    case Note::FromTokenAt:
        return DerivationText::tr("Copied from token %1, column %2.")
            .arg(argument(0), whole(cell, Q::OtherIndex));
    case Note::NoTokenThere:
        return DerivationText::tr(
            "The number is 0, because there is no token before the first or after the last.");
    case Note::SharedByAllHeads:
        return DerivationText::tr("This part of the key is the same in all heads.");
    case Note::OfTheHeadAlone:
        return DerivationText::tr("This part of the key is the head's own.");
    case Note::SinkIsNoToken:
        return DerivationText::tr("This is the share of the row that softmax gives to the head's "
                                  "sink, a learned score that belongs to no token. It "
                                  "contributes nothing to the context.");
    case Note::SinkTakesPart:
        return DerivationText::tr("The head's sink, a learned score without a key, takes part in "
                                  "the softmax. So the weights of the row add up to less than 1.");
    case Note::TunedByPositions:
        return DerivationText::tr("The factor grows with the position, so that attention stays "
                                  "sharp in long texts: 1 + %1 · ln(1 + ⌊(i + 1) ÷ %2⌋).")
            .arg(argument(0), argument(1));
    case Note::GateIsLimited:
        return DerivationText::tr(
                   "The gate is at most %1, and what it multiplies is limited to −%1 … %1.")
            .arg(argument(0));
    case Note::KeptBetween:
        return DerivationText::tr("The number is limited to −%1 … %1.").arg(argument(0));
    case Note::HeadIsSilenced:
        return DerivationText::tr(
            "The head is silenced, so its context is 0 whatever its weights are.");
    case Note::OverRealTokens:
        return DerivationText::tr(
            "The head outputs its mean over the sequence's real tokens, the same for every row.");
    case Note::MadeByHead:
        return DerivationText::tr("Copied from the context of head %1, dimension %2.")
            .arg(argument(0), whole(cell, Q::OtherIndex));
    case Note::FirstRowOf:
        return DerivationText::tr("The first token represents the sequence.");
    case Note::SecondRowOf:
        return DerivationText::tr("The second token represents the sequence here.");
    case Note::RowOfLargestId:
        return DerivationText::tr("Token %1, which has the largest id, represents the sequence.")
            .arg(whole(cell, Q::OtherIndex));
    case Note::LastRealRowOf:
        return DerivationText::tr("The last real token, %1, represents the sequence.")
            .arg(whole(cell, Q::OtherIndex));
    case Note::MeanOfRealRowsOf:
        return DerivationText::tr("The mean of the %1 real tokens represents the sequence.")
            .arg(whole(cell, Q::Count));
    default:
        return {};
    }
}

} // namespace

QString nameOfNumber(core::Stage stage) {
    using core::Stage;
    switch (stage) {
    case Stage::Embeddings:
        return DerivationText::tr("embedding");
    case Stage::Scores:
        return DerivationText::tr("score");
    case Stage::ScaledScores:
        return DerivationText::tr("scaled");
    case Stage::CappedScores:
        return DerivationText::tr("capped");
    case Stage::ContentToPosition:
        return DerivationText::tr("content to position");
    case Stage::PositionToContent:
        return DerivationText::tr("position to content");
    case Stage::QueryDistances:
    case Stage::KeyDistances:
        return DerivationText::tr("product");
    case Stage::PositionBias:
        return DerivationText::tr("bias");
    case Stage::BiasedScores:
        return DerivationText::tr("biased");
    case Stage::MaskedScores:
        return DerivationText::tr("masked");
    case Stage::UnmaskedWeights:
        return DerivationText::tr("unmasked");
    case Stage::AttentionWeights:
        return DerivationText::tr("weight");
    case Stage::SinkWeights:
        return DerivationText::tr("weight of the sink");
    case Stage::Gate:
        return DerivationText::tr("gate");
    case Stage::Hidden:
        return DerivationText::tr("hidden");
    case Stage::Logits:
        return DerivationText::tr("logit");
    case Stage::Probabilities:
        return DerivationText::tr("probability");
    default:
        return titleOf(stage);
    }
}

QString nameOf(Q quantity, const Derivation &cell) {
    const auto nameOfRead = [&cell](std::size_t which) { // parameters have no stage
        return which < cell.from.size() ? nameOfNumber(cell.from[which].stage)
                                        : DerivationText::tr("number");
    };
    switch (quantity) {
    case Q::Input:
        return cell.find(Q::Deviation) ? DerivationText::tr("number")
               : cell.find(Q::Cosine)  ? DerivationText::tr("unrotated")
                                       : nameOfRead(0);
    case Q::Other:
        return cell.find(Q::Cosine)                 ? DerivationText::tr("its partner")
               : cell.hasNote(Note::TypesAdded)     ? DerivationText::tr("token type")
               : cell.hasNote(Note::PositionsAdded) ? DerivationText::tr("position")
                                                    : nameOfRead(1);
    case Q::Bias:
        return DerivationText::tr("bias");
    case Q::Gain:
        return DerivationText::tr("gain");
    case Q::Mean:
        return DerivationText::tr("mean");
    case Q::Deviation:
        return cell.find(Q::Mean) ? DerivationText::tr("deviation")
                                  : DerivationText::tr("root mean square");
    case Q::Angle:
        return DerivationText::tr("angle");
    case Q::Cosine:
        return DerivationText::tr("cosine");
    case Q::Sine:
        return DerivationText::tr("sine");
    case Q::Activated:
        return DerivationText::tr("activated");
    case Q::Exponential:
        return DerivationText::tr("exp");
    case Q::Sink:
        return DerivationText::tr("sink");
    case Q::Distance:
        return DerivationText::tr("distance");
    case Q::Factor:
        return DerivationText::tr("factor");
    case Q::Slope:
        return DerivationText::tr("slope");
    case Q::Bucket:
        return DerivationText::tr("bucket");
    case Q::OtherIndex:
    case Q::Variance:
    case Q::Count:
    case Q::Sequences:
    case Q::Maximum:
    case Q::Sum:
    case Q::SinkExponential:
    case Q::Visible:
    case Q::Word:
    case Q::Normalised:
    case Q::MeanGradient:
    case Q::MeanAlong:
    case Q::Probability:
        break; // named in the texts of other numbers
    }
    return {};
}

QString valueText(const Derivation &cell) {
    if (cell.isOverwritten)
        return DerivationText::tr("overridden");
    if (cell.hasNote(Note::HeadIsSilenced))
        return DerivationText::tr("silenced");
    if (cell.hasNote(Note::ScalingIsOff))
        return DerivationText::tr("not scaled");
    if (cell.hasNote(Note::LearnedForDistances))
        return DerivationText::tr("for this bucket and head");
    return {};
}

QString sentencesOf(const Derivation &cell) {
    QStringList texts;
    forEachNote(cell, [&](Note note, const std::vector<std::string> &arguments) {
        if (const QString one = sentenceOf(note, arguments, cell); !one.isEmpty())
            texts << one;
    });
    return sentences(texts);
}

} // namespace headlight::ui
