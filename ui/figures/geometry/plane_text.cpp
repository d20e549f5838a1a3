// Describes the relation between the selected query and key in the planes.
#include "core/analysis/attention_contribution.h"
#include "core/analysis/attention_row_properties.h"
#include "core/analysis/projection.h"
#include "ui/figures/geometry/space_plane.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/text/core_message.h"
#include "ui/text/number_text.h"
#include "ui/text/token_names.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using core::Index;
using core::Stage;

struct PlaneText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::PlaneText)
};

QString twoPlaces(double value) {
    return numberText(value, 2);
}

core::SharedMatrix matrixOf(const core::Trace &trace, Stage stage,
                            const core::Selection &selection) {
    return trace.matrix(stage, selection.attention(), selection.sequence, selection.head);
}

/// The words of the queries and keys.
struct Tokens {
    QStringList queries, keys;
    QString query(const core::Selection &at) const { return queries.value(*at.query); }
    QString key(const core::Selection &at) const { return keys.value(*at.key); }
};

/// Isolates right-to-left words so that they do not reorder adjacent numbers.
QStringList isolated(QStringList words) {
    for (QString &word : words)
        if (word.isRightToLeft())
            word = QChar(0x2068) + word + QChar(0x2069);
    return words;
}

/// Describes the angle between the query and the key.
QString angleText(const core::Trace &trace, const core::Selection &selection,
                  const Tokens &tokens) {
    const core::SharedMatrix queries = matrixOf(trace, Stage::Query, selection);
    const core::SharedMatrix keys = matrixOf(trace, Stage::Key, selection);
    if (queries.empty() || keys.empty())
        return PlaneText::tr("The queries and keys were not captured.");
    const core::VectorPair pair =
        core::comparedVectors(queries.row(*selection.query), keys.row(*selection.key));
    const QString names =
        PlaneText::tr("q %1 and k %2").arg(tokens.query(selection), tokens.key(selection));
    if (!pair.angled)
        return PlaneText::tr("%1: one of the vectors is zero, so there is no angle; q·k = 0")
            .arg(names);
    return PlaneText::tr("%1: angle %2°; q·k = length of q · length of k · cos = %3 · %4 · %5 "
                         "= %6; projection of k onto q %7")
        .arg(names, numberText(pair.degrees, 1), twoPlaces(pair.lengthA), twoPlaces(pair.lengthB),
             twoPlaces(pair.cosine), twoPlaces(pair.dot), twoPlaces(pair.projection));
}

/// Describes the angle between the selected query and each of the first keys.
QString keysWords(const core::Trace &trace, const core::Selection &selection,
                  const Tokens &tokens) {
    constexpr Index kMaxNamed = 8;
    const core::SharedMatrix queries = matrixOf(trace, Stage::Query, selection);
    const core::SharedMatrix matrix = matrixOf(trace, Stage::Key, selection);
    if (queries.empty() || matrix.empty())
        return PlaneText::tr("The queries and keys were not captured.");
    const auto query = queries.row(*selection.query);
    const Index count =
        std::min(matrix.rows, trace.keys(selection.attention())[selection.sequence].length);
    QStringList parts;
    for (Index key = 0; key < std::min(count, kMaxNamed); ++key) {
        const core::VectorPair pair = core::comparedVectors(query, matrix.row(key));
        parts << (pair.angled ? PlaneText::tr("%1 %2°, %3")
                                    .arg(tokens.keys.value(key), fixedText(pair.degrees, 0),
                                         twoPlaces(pair.lengthB))
                              : PlaneText::tr("%1 no angle").arg(tokens.keys.value(key)));
    }
    if (count > kMaxNamed)
        parts << PlaneText::tr("%n more: point at a key", nullptr,
                               static_cast<int>(count - kMaxNamed));
    return PlaneText::tr("Angle of each key to q %1, and length of the key: %2")
        .arg(tokens.query(selection), parts.join(QStringLiteral("; ")));
}

/// Describes the attention between the two words. In self-attention, describes both directions.
QString pullText(const core::Trace &trace, const core::Selection &selection, const Tokens &tokens) {
    const core::SharedMatrix matrix = matrixOf(trace, Stage::AttentionWeights, selection);
    if (matrix.empty())
        return {};
    const Index query = *selection.query;
    const Index key = *selection.key;
    const QString weight = twoPlaces(static_cast<double>(matrix(query, key)));
    if (selection.block == core::Block::CrossAttention) // cross-attention has no opposite direction
        return PlaneText::tr("%1 pulls %2 with weight %3")
            .arg(tokens.key(selection), tokens.query(selection), weight);
    if (query == key)
        return PlaneText::tr("%1 attends to itself with weight %2")
            .arg(tokens.query(selection), weight);
    // Equal words are distinguished by their positions, counted from 0.
    const bool isTwice = tokens.key(selection) == tokens.query(selection);
    const auto named = [isTwice](const QString &word, Index place) {
        return isTwice ? PlaneText::tr("%1 (%2)").arg(word).arg(place) : word;
    };
    return PlaneText::tr("%1 pulls %2 with weight %3; %2 pulls %1 with weight %4")
        .arg(named(tokens.key(selection), key), named(tokens.query(selection), query), weight,
             twoPlaces(static_cast<double>(matrix(key, query))));
}

/// Explains that the attention weights have no effect, because the head's output is replaced.
QString replacedText(const core::Trace &trace, const core::Selection &selection,
                     const Tokens &tokens) {
    const bool silenced = trace.input().interventions.stateOf(
                              selection.attention(), selection.head) == core::HeadState::Zero;
    const QString why =
        (silenced
             ? PlaneText::tr("Head %1 is silenced, so nothing pulls %2.")
             : PlaneText::tr(
                   "Head %1 outputs the same mean for every word, so no single word pulls %2."))
            .arg(QString::number(selection.head), tokens.query(selection));
    const core::SharedMatrix matrix = matrixOf(trace, Stage::AttentionWeights, selection);
    if (!selection.key || matrix.empty())
        return why;
    return PlaneText::tr("%1 The weight of %2 for %3, %4, is not used.")
        .arg(why, tokens.query(selection), tokens.key(selection),
             twoPlaces(static_cast<double>(matrix(*selection.query, *selection.key))));
}

QString whatThePullIs() {
    return PlaneText::tr(
        "The pull is the attention weight, not the similarity, so it is not symmetric.");
}

/// Returns the key whose weight has the largest absolute value, because weights can be negative
/// without softmax. In self-attention, skips the query itself. Unset if all these weights are 0.
std::optional<Index> strongestPull(const core::Trace &trace, const core::Selection &selection) {
    const core::SharedMatrix weights = matrixOf(trace, Stage::AttentionWeights, selection);
    if (weights.empty())
        return std::nullopt;
    const bool cross = selection.block == core::Block::CrossAttention;
    const auto row = weights.row(*selection.query);
    std::optional<Index> found;
    float most = 0;
    for (std::size_t key = 0; key < row.size(); ++key)
        if ((cross || static_cast<Index>(key) != *selection.query) && std::abs(row[key]) > most) {
            most = std::abs(row[key]);
            found = static_cast<Index>(key);
        }
    return found;
}

} // namespace

QString coordinatesText(std::span<const float> numbers) {
    constexpr std::size_t kMaxNamed = 6;
    QStringList shown;
    for (std::size_t i = 0; i < std::min(kMaxNamed, numbers.size()); ++i)
        shown << numberText(static_cast<double>(numbers[i]), 3);
    if (numbers.size() > kMaxNamed)
        shown << PlaneText::tr("… %1 numbers").arg(numbers.size());
    return QStringLiteral("(%1)").arg(shown.join(QStringLiteral(", ")));
}

QStringList planeText(const core::Trace &trace, const core::Selection &selection,
                      const PlaneOptions &options) {
    if (options.gravity > 0)
        if (const auto gravity =
                core::attentionShiftOf(trace, selection.sequence, selection.attention());
            !gravity)
            return {PlaneText::tr("Gravity moves no word here. Reason: %1.")
                        .arg(translated(gravity.error().what))};
    if (!selection.query)
        return {PlaneText::tr("Select a word to see what it attends to.")};
    const Tokens tokens{isolated(queryTokens(trace, selection)),
                        isolated(keyTokens(trace, selection))};
    if (!core::weightsMakeContext(trace, selection.attention(), selection.head))
        return {selection.key ? angleText(trace, selection, tokens)
                              : keysWords(trace, selection, tokens),
                replacedText(trace, selection, tokens)};
    if (!selection.key) {
        core::Selection strongest = selection;
        strongest.key = strongestPull(trace, selection);
        if (!strongest.key)
            return {keysWords(trace, selection, tokens)};
        return {PlaneText::tr("The strongest pull: %1").arg(pullText(trace, strongest, tokens)),
                whatThePullIs(), keysWords(trace, selection, tokens)};
    }
    QStringList lines{angleText(trace, selection, tokens), pullText(trace, selection, tokens),
                      whatThePullIs()};
    lines.removeAll(QString());
    return lines;
}

} // namespace headlight::ui
