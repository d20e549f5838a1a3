#include "ui/figures/lines/lines_content.h"

#include "core/tensor/in_parallel.h"
#include "core/tokenizers/text/unicode.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/text/attention_names.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

#include <algorithm>
#include <optional>

namespace headlight::ui {

namespace {

struct LinesText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::LinesFigure)
};

constexpr std::size_t kMaxLines = 400000; // limit for all heads together, about 5 MB
// At most this many weights are searched without a worker, in about 5 ms.
constexpr core::Index kMaxAtOnce = core::Index(1) << 22;

/// True if most tokens are in a script that is written without spaces.
bool isMostlyUnspaced(const QStringList &tokens) {
    const auto unspaced = std::ranges::count_if(tokens, [](const QString &token) {
        return std::ranges::any_of(token.toUcs4(),
                                   [](uint letter) { return core::isUnspaced(letter); });
    });
    return 2 * unspaced > tokens.size();
}

} // namespace

std::size_t maxLinesOfHead(std::size_t heads) {
    return kMaxLines / std::max<std::size_t>(1, heads);
}

double LinesContent::largest() const {
    float largest = 1;
    for (const auto &each : strong)
        if (each)
            largest = std::max(largest, each->largest);
    return static_cast<double>(largest);
}

core::Index LinesContent::found() const {
    core::Index count = 0;
    for (const auto &each : strong)
        count += each ? each->found : 0;
    return count;
}

std::vector<core::Index> LinesContent::missing() const {
    std::vector<core::Index> missing;
    for (std::size_t i = 0; i < strong.size(); ++i)
        if (!strong[i])
            missing.push_back(heads[i]);
    return missing;
}

void LinesContent::set(core::Index head, std::shared_ptr<const core::StrongWeights> weights) {
    const auto found = std::ranges::find(heads, head);
    if (found != heads.end())
        strong[static_cast<std::size_t>(found - heads.begin())] = std::move(weights);
}

LinesContent linesContentOf(const core::TracePointer &now, const core::Selection &selection,
                            const FigureOptions &options) {
    using core::Stage;
    LinesContent content;
    const Compared &compared = options.compared;
    core::Selection at = atStage(selection, {Stage::AttentionWeights, selection.attention()});
    at.query.reset();
    at.key.reset();
    at.dimension.reset();
    const auto why = unavailableReason(*now, at, compared, compared.shown, Sought::Head);
    const ShownRun run = why.isEmpty() ? shownRun(now, at, compared) : ShownRun{now, at};
    const core::Trace &trace = *run.trace;
    const core::AttentionId attention = run.selection.attention();
    const QString where = attentionName(trace.model(), attention);
    content.title =
        !options.title.isEmpty()
            ? options.title
            : LinesText::tr("Attention lines, %1")
                  .arg(where.isEmpty() ? LinesText::tr("layer %1").arg(attention.layer) : where);
    if (const QString side = captionOf(compared); !side.isEmpty())
        content.title += QStringLiteral(" · ") + side;
    content.nothing = why.sentences();
    content.threshold = options.headLines.threshold;
    if (content.nothing.isEmpty() && !trace.has(Stage::AttentionWeights, attention))
        content.nothing = trace.model().isCaptured()
                              ? LinesText::tr("The attention weights of this layer were not "
                                              "captured.")
                              : LinesText::tr("This layer has no attention weights.");
    if (!content.nothing.isEmpty())
        return content;
    content.trace = run.trace;
    content.place = run.selection;
    const core::Index queries = trace.queries(attention)[run.selection.sequence].length;
    content.queries = queryTokens(trace, run.selection).mid(0, queries);
    content.keys = keyTokens(trace, run.selection)
                       .mid(0, trace.keys(attention)[run.selection.sequence].length);
    content.isAcross = isMostlyUnspaced(content.queries + content.keys);
    const AxisNames axes = axesOf(trace, Stage::AttentionWeights, attention);
    content.queryTitle = axes.rows;
    content.keyTitle = axes.columns;
    content.headCount = trace.model().headsOf(attention);
    content.heads = options.headLines.heads.of(content.headCount, run.selection.head);
    const std::size_t most = maxLinesOfHead(content.heads.size());
    const bool isLarge = queries * content.keys.size() * std::ssize(content.heads) > kMaxAtOnce;
    content.strong.resize(content.heads.size());
    if (isLarge)
        return content; // a worker finds the weights
    std::vector<std::optional<core::SharedMatrix>> weights;
    for (const core::Index head : content.heads) {
        weights.emplace_back();
        if (trace.isReady(Stage::AttentionWeights, attention, run.selection.sequence, head))
            weights.back() =
                trace.matrix(Stage::AttentionWeights, attention, run.selection.sequence, head);
    }
    core::inParallel(std::ssize(weights), [&](core::Index item, core::Index) {
        const auto index = static_cast<std::size_t>(item);
        if (weights[index])
            content.strong[index] =
                std::make_shared<const core::StrongWeights>(core::strongWeightsOf(
                    *weights[index], queries, content.keys.size(), content.threshold, most));
    });
    return content;
}

} // namespace headlight::ui
