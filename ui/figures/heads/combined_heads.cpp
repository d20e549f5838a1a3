#include "ui/figures/heads/combined_heads.h"

#include "core/analysis/attention_row_properties.h"
#include "core/analysis/special_tokens.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/heatmap_cache.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/text/attention_names.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

struct CombinedText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::CombinedHeads)
};

constexpr qsizetype kMaxNamedHeads = 8;
constexpr qsizetype kMaxNamedKeys = 4;

/// Returns the selection whose tokens label the rows and columns. All layers of a stack have the
/// same tokens as the first layer.
core::Selection tokensAt(core::Selection place, core::Combination combination) {
    if (core::isThroughLayers(combination)) {
        place.layer = 0;
        place.block = core::Block::SelfAttention;
    }
    return place;
}

/// Returns the tokens of a word as one text: "un" + "##believ" + "##able".
QString wordText(const std::vector<core::Token> &tokens, const core::TokenRange &range) {
    QString word;
    for (core::Index token = range.begin; token < range.end; ++token) {
        const std::string &piece = tokens[static_cast<std::size_t>(token)].text;
        word +=
            tokenText(token == range.begin ? piece : std::string(core::withoutWordMarks(piece)));
    }
    return word;
}

QStringList wordTexts(const std::vector<core::Token> &tokens,
                      const std::vector<core::TokenRange> &ranges) {
    QStringList words;
    for (const core::TokenRange &range : ranges)
        words << wordText(tokens, range);
    return words;
}

/// Names the keys that are left out: "[CLS], [SEP]". Keys may be parts of words. Padding is not
/// named.
QString leftOutText(const core::Sequence &keys, const core::CombinedAttention &made,
                    const core::LeftOutKeys &which) {
    QStringList names;
    int count = 0;
    const core::Index tokens = std::min<core::Index>(keys.length, std::ssize(made.leftOutTokens));
    for (core::Index key = 0; key < tokens; ++key) {
        if (!made.leftOutTokens[static_cast<std::size_t>(key)])
            continue;
        ++count;
        const QString label = wordText(keys.tokens, {key, key + 1});
        const bool isFirst = key == 0 && which.firstToken;
        const QString name = isFirst ? CombinedText::tr("the first token, %1").arg(label) : label;
        if (!names.contains(name))
            names << name;
    }
    if (names.isEmpty())
        return {};
    if (names.size() > kMaxNamedKeys)
        return CombinedText::tr("renormalised without %n keys", nullptr, count);
    return CombinedText::tr("renormalised without %1").arg(enumerated(names));
}

QString keptText(const core::KeptWeights &kept) {
    QStringList parts;
    if (kept.least > 0)
        parts << CombinedText::tr("weights below %1 left out")
                     .arg(fullText(static_cast<float>(kept.least)));
    if (kept.share < 1)
        parts << CombinedText::tr(
                     "only the largest weights of each row that together reach %1 % of its sum")
                     .arg(fullText(static_cast<float>(100 * kept.share)));
    return parts.join(QStringLiteral(" · "));
}

/// Explains why the rows of the combined heads do not sum to 1. Empty if they do.
QString sumWarningOfHeads(const core::Trace &trace, core::AttentionId attention,
                          const core::CombinationRequest &request) {
    const bool sumToOne = std::ranges::all_of(request.heads, [&](core::Index head) {
        return core::weightingOf(trace, attention, head).sumsToOne;
    });
    if (!sumToOne && !trace.model().config.softmax)
        return CombinedText::tr("no softmax: rows do not sum to 1");
    if (!sumToOne && trace.model().hasSinks(attention))
        return CombinedText::tr("the heads' sinks take a share, so rows do not sum to 1");
    if (!sumToOne)
        return CombinedText::tr("masked after softmax: rows do not sum to 1");
    const bool isOfSeveral = request.heads.size() > 1;
    return request.combination == core::Combination::Maximum && isOfSeveral
               ? CombinedText::tr("rows do not sum to 1")
               : QString();
}

QString sumWarning(const core::Trace &trace, core::AttentionId attention,
                   const core::CombinationRequest &request) {
    switch (request.combination) {
    case core::Combination::Flow:
        return CombinedText::tr("rows do not sum to 1");
    case core::Combination::Mean:
    case core::Combination::Maximum:
        return sumWarningOfHeads(trace, attention, request);
    case core::Combination::Rollout:
    case core::Combination::None:
        break;
    }
    return {};
}

/// Says what the cells of a combination through all layers are. Empty for other ones.
QString throughText(core::Combination combination) {
    if (combination == core::Combination::Rollout)
        return CombinedText::tr("from a token of the last layer to the tokens of the input");
    return combination == core::Combination::Flow
               ? CombinedText::tr("maximum flow from the last layer to the input")
               : QString();
}

QString placeText(const core::Trace &trace, const core::Selection &place,
                  core::Combination combination) {
    if (core::isThroughLayers(combination))
        return CombinedText::tr("through %n layers", nullptr,
                                static_cast<int>(trace.model().layerCount(place.stack)));
    const QString where = attentionName(trace.model(), place.attention());
    return where.isEmpty() ? CombinedText::tr("layer %1").arg(place.layer) : where;
}

HeatmapContent madeContent(const core::TracePointer &trace, const core::Selection &place,
                           const core::CombinedAttention &made, const FigureStyle &style,
                           const FigureOptions &options) {
    const HeadCombination &chosen = options.combination;
    const core::Selection at = tokensAt(place, chosen.combination);
    const core::Index count = trace->model().headsOf(place.attention());
    const core::CombinationRequest request = chosen.request(options.headLines.heads, count);
    const bool isThrough = core::isThroughLayers(request.combination);
    HeatmapContent content;
    content.title = titleOf(request, count);
    content.titleColour = style.colourOf(core::Role::Weights);
    content.tensor = core::Tensor(made.weights);
    content.setScale(
        ColourScale::of(content.tensor, 0, 0,
                        style.mapOf(isThrough
                                        ? core::Role::Weights
                                        : colourRoleOf(*trace, core::Stage::AttentionWeights)),
                        options.range),
        style, options);
    const core::Sequence &queries = trace->queries(at.attention())[at.sequence];
    const core::Sequence &keys = trace->keys(at.attention())[at.sequence];
    content.rowLabels = request.words || isThrough ? wordTexts(queries.tokens, made.queries)
                                                   : rowLabels(*trace, at);
    content.columnLabels = wordTexts(keys.tokens, made.keys);
    const AxisNames axes = axesOf(*trace, core::Stage::AttentionWeights, at.attention());
    content.rowAxis = isThrough ? CombinedText::tr("last layer") : axes.rows;
    content.columnAxis = isThrough ? CombinedText::tr("input") : axes.columns;
    content.columnsAreTokens = true;
    content.maximumAspect = 1.35;
    if (!request.words && queries.length < made.weights.rows)
        content.firstPaddingRow = queries.length;
    const bool leavesOut = std::ranges::find(made.leftOutTokens, true) != made.leftOutTokens.end();
    content.mask = made.hidden;
    content.hiddenHaveNumbers = made.hidden && !leavesOut;
    content.emptyRowText =
        leavesOut ? CombinedText::tr("no weight left") : CombinedText::tr("fully masked");
    // The warning is first, because a narrow figure omits the last parts.
    QStringList facts{sumWarning(*trace, at.attention(), request),
                      leftOutText(keys, made, request.leftOut),
                      keptText(request.kept),
                      request.words ? CombinedText::tr("pieces merged into words: sums over keys, "
                                                       "means over queries")
                                    : QString(),
                      throughText(request.combination),
                      placeText(*trace, place, request.combination),
                      shapeText(made.weights.rows, made.weights.columns)};
    facts.removeAll(QString());
    content.subtitle = facts.join(QStringLiteral(" · "));
    return content;
}

} // namespace

bool combines(const FigureOptions &options, const core::Selection &shown) {
    return options.combination.isOn() && shown.stage == core::Stage::AttentionWeights &&
           !options.backwardPass;
}

UnavailableReason combinationUnavailableReason(ComparisonSide shown) {
    if (shown != ComparisonSide::Difference)
        return {};
    return {CombinedText::tr("combined heads are shown for one side, not as a difference"),
            CombinedText::tr("choose Current or A")};
}

QString titleOf(const core::CombinationRequest &request, core::Index count) {
    const bool isMean = request.combination == core::Combination::Mean;
    switch (request.combination) {
    case core::Combination::None:
        return {};
    case core::Combination::Rollout:
        return CombinedText::tr("attention rollout");
    case core::Combination::Flow:
        return CombinedText::tr("attention flow");
    case core::Combination::Mean:
    case core::Combination::Maximum:
        break;
    }
    const auto chosen = static_cast<core::Index>(request.heads.size());
    if (chosen == 1)
        return (isMean ? CombinedText::tr("mean of head %1")
                       : CombinedText::tr("maximum of head %1"))
            .arg(request.heads.front());
    if (chosen == count)
        return isMean
                   ? CombinedText::tr("mean of all %n heads", nullptr, static_cast<int>(count))
                   : CombinedText::tr("maximum of all %n heads", nullptr, static_cast<int>(count));
    if (chosen > kMaxNamedHeads)
        return (isMean ? CombinedText::tr("mean of %1 of %2 heads")
                       : CombinedText::tr("maximum of %1 of %2 heads"))
            .arg(chosen)
            .arg(count);
    QStringList numbers;
    for (const core::Index head : request.heads)
        numbers << QString::number(head);
    return (isMean ? CombinedText::tr("mean of heads %1") : CombinedText::tr("maximum of heads %1"))
        .arg(enumerated(numbers));
}

HeatmapContent combinedContentOf(const core::TracePointer &trace, const core::Selection &place,
                                 const core::CombinedAttention &made, const FigureStyle &style,
                                 const FigureOptions &options, HeatmapCache *kept) {
    core::Selection unselected = withoutCell(place);
    unselected.head = 0; // the combination does not depend on the selected head
    const auto make = [&] { return madeContent(trace, unselected, made, style, options); };
    HeatmapContent content = kept ? kept->content(trace, unselected, style, options, make) : make();
    const auto placeOf = [](const std::vector<core::TokenRange> &ranges,
                            const std::optional<core::Index> &token) {
        return token ? core::CombinedAttention::placeOf(ranges, *token) : std::nullopt;
    };
    // A combination through layers has no columns for the keys of cross-attention.
    const bool hasKey = !core::isThroughLayers(options.combination.combination) ||
                        place.block == core::Block::SelfAttention;
    content.select(placeOf(made.queries, place.query),
                   placeOf(made.keys, hasKey ? place.key : std::nullopt));
    return content;
}

QString combinedCellText(const HeatmapContent &content, const core::CombinedAttention &made,
                         core::Combination combination, Cell cell) {
    if (cell.row >= made.weights.rows || cell.column >= made.weights.columns)
        return {};
    const QString query = content.rowLabels.value(cell.row);
    const QString key = content.columnLabels.value(cell.column);
    if (made.leftOut[static_cast<std::size_t>(cell.column)])
        return labelled(content.title, CombinedText::tr("%1 is left out").arg(key));
    const QString value = fullText(made.weights(cell.row, cell.column));
    if (content.isHidden(cell.row, cell.column))
        return labelled(content.title,
                        CombinedText::tr("%1 cannot see %2: %3").arg(query, key, value));
    return labelled(content.title,
                    core::isThroughLayers(combination)
                        ? CombinedText::tr("from %1 to %2: %3").arg(query, key, value)
                        : CombinedText::tr("%1 attends to %2: %3").arg(query, key, value));
}

} // namespace headlight::ui
