// One table for the names of numbers, and one for the sentences of notes.
#include "ui/panels/derivation_words.h"

#include "ui/words/sentences.h"
#include "ui/words/stage_titles.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

using core::Derivation;
using core::Expression;
using core::Note;
using Q = core::Quantity;

struct DerivationWords {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Inspector)
};

/// The notes of the remarks, each with its arguments, and the names of the functions.
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
                   ? DerivationWords::tr("Word %1 of the vocabulary: its one-hot row, with a 1 at "
                                         "%1 and 0 elsewhere, times E is row %1 of E.")
                         .arg(whole(cell, Q::Word))
                   : QString();
    case Note::BatchNormLeaks:
        return DerivationWords::tr(
                   "Batch norm: mean and deviation of this channel are taken over %1 real tokens "
                   "of %2 sequences. So a token's number depends on other sentences and, even with "
                   "a causal mask, on later tokens: it leaks.")
            .arg(whole(cell, Q::Count), whole(cell, Q::Sequences));
    case Note::RmsNormOfRows:
        return DerivationWords::tr("RMS norm: divided by the root mean square of the token's %1 "
                                   "numbers; nothing is centred.")
            .arg(whole(cell, Q::Count));
    case Note::LayerNormOfRows:
        return DerivationWords::tr(
                   "Layer norm: mean and deviation are taken over the token's own %1 numbers.")
            .arg(whole(cell, Q::Count));
    case Note::DotProductWithWords:
        return DerivationWords::tr(
            "The output matrix is tied: it is the transposed embedding matrix.");
    case Note::TurnsWith: {
        const core::Index own = cell.made.column.value_or(0);
        const core::Index partner = cell.whole(Q::OtherIndex).value_or(own);
        return DerivationWords::tr(
                   "Dimensions %1 and %2 are rotated together, by an angle that grows with the "
                   "position. So a score depends on the distance between two tokens.")
            .arg(std::min(own, partner))
            .arg(std::max(own, partner));
    }
    case Note::KeptBetween:
        return DerivationWords::tr("Limited to −%1 … %1.").arg(argument(0));
    case Note::HeadIsSilenced:
        return DerivationWords::tr("The head is silenced: its context is 0, whatever its weights.");
    case Note::OverRealTokens:
        return DerivationWords::tr(
            "The head outputs its mean over the sequence's real tokens, the same for every row.");
    case Note::MadeByHead:
        return DerivationWords::tr("Copied from the context of head %1, dimension %2.")
            .arg(argument(0), whole(cell, Q::OtherIndex));
    case Note::FirstRowOf:
        return DerivationWords::tr("The first token represents the sequence.");
    case Note::LastRealRowOf:
        return DerivationWords::tr("The last real token, %1, represents the sequence.")
            .arg(whole(cell, Q::OtherIndex));
    case Note::MeanOfRealRowsOf:
        return DerivationWords::tr("The mean of the %1 real tokens represents the sequence.")
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
        return DerivationWords::tr("embedding");
    case Stage::Scores:
        return DerivationWords::tr("score");
    case Stage::ScaledScores:
        return DerivationWords::tr("scaled");
    case Stage::CappedScores:
        return DerivationWords::tr("capped");
    case Stage::PositionBias:
        return DerivationWords::tr("bias");
    case Stage::BiasedScores:
        return DerivationWords::tr("biased");
    case Stage::MaskedScores:
        return DerivationWords::tr("masked");
    case Stage::UnmaskedWeights:
        return DerivationWords::tr("unmasked");
    case Stage::AttentionWeights:
        return DerivationWords::tr("weight");
    case Stage::Gate:
        return DerivationWords::tr("gate");
    case Stage::Hidden:
        return DerivationWords::tr("hidden");
    case Stage::Logits:
        return DerivationWords::tr("logit");
    case Stage::Probabilities:
        return DerivationWords::tr("probability");
    default:
        return titleOf(stage);
    }
}

QString nameOf(Q quantity, const Derivation &cell) {
    switch (quantity) {
    case Q::Input:
        return cell.find(Q::Deviation) ? DerivationWords::tr("number")
               : cell.find(Q::Cosine)  ? DerivationWords::tr("unrotated")
                                       : nameOfNumber(cell.from.at(0).stage);
    case Q::Other:
        return cell.find(Q::Cosine)                 ? DerivationWords::tr("its partner")
               : cell.hasNote(Note::TypesAdded)     ? DerivationWords::tr("token type")
               : cell.hasNote(Note::PositionsAdded) ? DerivationWords::tr("position")
                                                    : nameOfNumber(cell.from.at(1).stage);
    case Q::Bias:
        return DerivationWords::tr("bias");
    case Q::Gain:
        return DerivationWords::tr("gain");
    case Q::Mean:
        return DerivationWords::tr("mean");
    case Q::Deviation:
        return cell.find(Q::Mean) ? DerivationWords::tr("deviation")
                                  : DerivationWords::tr("root mean square");
    case Q::Angle:
        return DerivationWords::tr("angle");
    case Q::Cosine:
        return DerivationWords::tr("cosine");
    case Q::Sine:
        return DerivationWords::tr("sine");
    case Q::Activated:
        return DerivationWords::tr("activated");
    case Q::Exponential:
        return DerivationWords::tr("exp");
    case Q::Distance:
        return DerivationWords::tr("distance");
    case Q::Slope:
        return DerivationWords::tr("slope");
    case Q::Bucket:
        return DerivationWords::tr("bucket");
    case Q::OtherIndex:
    case Q::Variance:
    case Q::Count:
    case Q::Sequences:
    case Q::Maximum:
    case Q::Sum:
    case Q::Visible:
    case Q::Word:
    case Q::Normalised:
    case Q::MeanGradient:
    case Q::MeanAlong:
    case Q::Probability:
        break; // part of what is said of the others
    }
    return {};
}

QString valueWords(const Derivation &cell) {
    if (cell.isOverwritten)
        return DerivationWords::tr("overridden");
    if (cell.hasNote(Note::HeadIsSilenced))
        return DerivationWords::tr("silenced");
    if (cell.hasNote(Note::ScalingIsOff))
        return DerivationWords::tr("not scaled");
    if (cell.hasNote(Note::LearnedForDistances))
        return DerivationWords::tr("of the bucket and head");
    return {};
}

QString sentencesOf(const Derivation &cell) {
    QStringList said;
    forEachNote(cell, [&](Note note, const std::vector<std::string> &arguments) {
        if (const QString one = sentenceOf(note, arguments, cell); !one.isEmpty())
            said << one;
    });
    return sentences(said);
}

} // namespace headlight::ui
