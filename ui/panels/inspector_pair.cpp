// The inspector for scores and attention weights: which token attends to which, and the row of the
// pair.
#include "core/analysis/attention_row_properties.h"
#include "core/analysis/row_measures.h"
#include "core/selection/selected.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/text/text.h"
#include "ui/panels/derivation_lines.h"
#include "ui/text/glossary/term_html.h"
#include "ui/text/mask_text.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

#include <cmath>

namespace headlight::ui {

namespace {

constexpr core::Index kMinKeysForEntropy = 4;

struct InspectorPairText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Inspector)
};

/// Returns the sentence for a pair; %1 and %2 are the tokens.
QString pairTemplate(core::Stage stage, bool hiddenWholly) {
    if (hiddenWholly &&
        (stage == core::Stage::MaskedScores || stage == core::Stage::AttentionWeights))
        return InspectorPairText::tr("%1 cannot see %2");
    switch (stage) {
    case core::Stage::Scores:
        return InspectorPairText::tr("Score of %1 with %2");
    case core::Stage::ScaledScores:
        return InspectorPairText::tr("Scaled score of %1 with %2");
    case core::Stage::CappedScores:
        return InspectorPairText::tr("Capped score of %1 with %2");
    case core::Stage::ContentToPosition:
        return InspectorPairText::tr("Content-to-position score of %1 with %2");
    case core::Stage::PositionToContent:
        return InspectorPairText::tr("Position-to-content score of %1 with %2");
    case core::Stage::PositionBias:
        return InspectorPairText::tr("Position bias from %1 to %2");
    case core::Stage::BiasedScores:
        return InspectorPairText::tr("Score of %1 with %2 plus the position bias");
    case core::Stage::MaskedScores:
        return InspectorPairText::tr("Masked score of %1 with %2");
    case core::Stage::UnmaskedWeights:
        return InspectorPairText::tr("%1 attends to %2 before masking");
    default:
        return InspectorPairText::tr("%1 attends to %2");
    }
}

/// True if the pair's attention weight is exactly 0.
bool weighsNothing(const core::Trace &trace, const core::Selection &selection) {
    core::Selection weight = selection;
    weight.stage = core::Stage::AttentionWeights;
    const core::Result<float> value = core::valueAt(trace, weight);
    return value && *value == 0;
}

/// Explains why the pair or the whole row is hidden, and what follows from this. Empty if there is
/// nothing to explain.
QString maskRemark(const core::Trace &trace, const core::Derivation &pair,
                   const core::RowMeasures &row, const core::Selection &selection) {
    if (selection.stage != core::Stage::MaskedScores &&
        selection.stage != core::Stage::AttentionWeights)
        return {};
    QStringList words;
    if (pair.hiddenBy)
        words << InspectorPairText::tr("Hidden: %1.")
                     .arg(maskReason(trace.maskLayers(selection.attention())[*pair.hiddenBy]));
    if (row.seesNothing)
        words << InspectorPairText::tr("This row is fully masked: its weights are exactly 0.");
    const core::AttentionRowProperties weighting =
        core::weightingOf(trace, selection.attention(), selection.head);
    if (!weighting.hidesWholly) {
        const QString value = fullText(trace.model().config.masking.value);
        if (pair.hiddenBy)
            words << InspectorPairText::tr("The hidden score is replaced by %1, not by −∞.")
                         .arg(value);
        if (row.visible == 0 && trace.model().config.softmax)
            words << InspectorPairText::tr("This row is fully masked, with the same number "
                                           "everywhere, so softmax makes it uniform.");
    }
    return sentences(words).toHtmlEscaped();
}

InspectorSection dotProductSection(const core::Derivation &score, const FigureStyle &style) {
    InspectorSection section;
    section.heading = InspectorPairText::tr("%1 ⊙ %2 BY DIMENSION")
                          .arg(symbolLink("Q", style.query), symbolLink("K", style.key));
    if (score.isOverwritten)
        section.words =
            InspectorPairText::tr("The score is overridden, so it is not the sum of these terms.");
    section.series = {score.terms,
                      QStringLiteral("q"),
                      QStringLiteral("k"),
                      InspectorPairText::tr("dimension"),
                      {},
                      {},
                      true};
    return section;
}

InspectorSection valueSection(const core::Trace &trace, const core::Derivation &weight,
                              const core::Selection &selection, const QString &query,
                              const QString &key, const FigureStyle &style) {
    const core::HeadState state =
        trace.input().interventions.stateOf(selection.attention(), selection.head);
    InspectorSection section;
    section.heading = InspectorPairText::tr("TIMES %1")
                          .arg(termLink(InspectorPairText::tr("VALUE"), "value", style.value));
    if (state == core::HeadState::Zero || state == core::HeadState::Mean) {
        section.words =
            state == core::HeadState::Zero
                ? InspectorPairText::tr(
                      "The head is silenced: %1 contributes nothing to the context of %2.")
                      .arg(key, query)
                : InspectorPairText::tr(
                      "The head outputs the same mean for every word, so this weight does not "
                      "affect what %1 contributes to the context of %2.")
                      .arg(key, query);
        return section;
    }
    section.words =
        weight.value == 0
            ? InspectorPairText::tr("Weight 0: %1 contributes nothing to the context of %2.")
                  .arg(key, query)
            : InspectorPairText::tr("%1 × the value of %2 is added to the context of %3.")
                  .arg(shownNumber(static_cast<double>(weight.value)), key, query);
    section.series = {core::contributionOf(trace, selection),
                      QStringLiteral("w"),
                      QStringLiteral("v"),
                      InspectorPairText::tr("dimension"),
                      {},
                      {},
                      false};
    return section;
}

InspectorSection rowSection(const core::Trace &trace, const core::RowMeasures &row,
                            const core::Selection &selection, const QStringList &tokens,
                            const QString &query, const FigureStyle &style) {
    InspectorSection section;
    section.heading = InspectorPairText::tr("ROW OF %1").arg(query);
    const bool weights = selection.stage == core::Stage::AttentionWeights;
    const bool isCaptured = trace.model().isCaptured();
    constexpr double kRounded = 0.01; // captured values may be in half precision
    const bool sumsToOne =
        isCaptured ? std::abs(row.weightSum - 1) < kRounded
                   : core::weightingOf(trace, selection.attention(), selection.head).sumsToOne;
    // With two or three weights, the entropy adds no information.
    if (weights && row.visible >= kMinKeysForEntropy && sumsToOne) {
        InspectorLine entropy = lineOf(InspectorPairText::tr("entropy"), {}, row.entropy);
        entropy.expression = InspectorPairText::tr("%1 nats").arg(entropy.value);
        entropy.value = InspectorPairText::tr("%1 bits").arg(shownNumber(row.entropyBits()));
        section.lines << entropy;
    }
    if (weights && !row.seesNothing && !sumsToOne)
        section.lines << lineOf(InspectorPairText::tr("sum"),
                                isCaptured ? InspectorPairText::tr("is not 1")
                                           : InspectorPairText::tr("need not be 1"),
                                row.weightSum);
    if (row.largestAt)
        section.lines << lineOf(
            InspectorPairText::tr("maximum"),
            InspectorPairText::tr("%1, key %2")
                .arg(elided(tokens.value(*row.largestAt), style.monospace(), style.scaled(90)),
                     QString::number(*row.largestAt)),
            row.largest);
    if (row.largestAt)
        section.lines.last().isTerm = false; // the name is a token of the text
    if (!isCaptured && (weights || selection.stage == core::Stage::MaskedScores))
        section.words =
            (row.seesNothing
                 ? InspectorPairText::tr("This row is fully masked: its weights are exactly 0.")
                 : InspectorPairText::tr("%1 of %2 keys are visible.")
                       .arg(row.visible)
                       .arg(tokens.size()));
    return section;
}

InspectorSection rowBars(const core::Trace &trace, const core::Selection &selection,
                         const QStringList &tokens) {
    InspectorSection section;
    section.heading = InspectorPairText::tr("BY KEY");
    const core::SharedMatrix matrix = core::matrixAt(trace, selection);
    for (const float value : matrix.row(*selection.query))
        section.series.terms.push_back({value, 1});
    section.series.leftName = InspectorPairText::tr("value");
    section.series.quantity = titleOf(trace.model(), selection.stage);
    section.series.indexName = InspectorPairText::tr("key");
    section.series.labels = tokens;
    section.series.sums = core::infoOf(selection.stage).role == core::Role::Weights;
    return section;
}

} // namespace

InspectorContent inspectPair(const core::Trace &trace, const core::Selection &selection,
                             const FigureStyle &style) {
    const std::optional<core::RowMeasures> row = core::measuresOf(trace, selection);
    if (!row)
        return {};
    const QStringList tokens = keyTokens(trace, selection);
    const QString query = queryTokens(trace, selection).value(*selection.query);
    const QString queryHtml = tokenHtml(query, style);
    InspectorContent content;
    content.isEmpty = false;
    const bool cross = selection.block == core::Block::CrossAttention;
    QStringList place{(cross ? InspectorPairText::tr("query %1 of the target")
                             : InspectorPairText::tr("query %1"))
                          .arg(*selection.query)};
    if (!selection.key) {
        content.headline = InspectorPairText::tr("Row of %1").arg(queryHtml);
        content.title = InspectorPairText::tr("Row of %1").arg(query);
        place.prepend(titleOf(selection.stage));
        content.sections << rowBars(trace, selection, tokens);
        content.sections << rowSection(trace, *row, selection, tokens, queryHtml, style);
    } else {
        const std::vector<core::Derivation> derivations = core::derivationsOf(trace, selection);
        if (derivations.empty())
            return {};
        const core::Derivation &pair = derivations.back();
        place << (cross ? InspectorPairText::tr("key %1 of the source")
                        : InspectorPairText::tr("key %1"))
                     .arg(*selection.key);
        const QString key = tokens.value(*selection.key);
        const QString keyHtml = tokenHtml(key, style);
        const QString sentence =
            pairTemplate(selection.stage, pair.hiddenBy && weighsNothing(trace, selection));
        content.headline = sentence.arg(queryHtml, keyHtml);
        content.title = sentence.arg(query, key);
        content.sections << derivationSection(trace, derivations);
        content.sections.last().words = maskRemark(trace, pair, *row, selection);
        core::Selection score = selection;
        score.stage = core::Stage::Scores;
        if (const auto made = core::derivationsOf(trace, score);
            !made.empty() && selection.stage != core::Stage::PositionBias &&
            selection.stage != core::Stage::ContentToPosition &&
            selection.stage != core::Stage::PositionToContent)
            content.sections << dotProductSection(made.back(), style);
        if (const QString shared = sharedWords(trace, selection); !shared.isEmpty())
            content.sections.last().words = shared;
        if (selection.stage == core::Stage::AttentionWeights)
            content.sections << valueSection(trace, pair, selection, queryHtml, keyHtml, style);
        content.sections << rowSection(trace, *row, selection, tokens, queryHtml, style);
    }
    if (trace.queries(selection.attention())[selection.sequence].isPadding(*selection.query))
        place << InspectorPairText::tr("padding");
    content.place = (place + placeText(trace, selection, true)).join(QStringLiteral(" · "));
    return content;
}

} // namespace headlight::ui
