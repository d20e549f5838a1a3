#include "ui/figures/stage_tokens.h"

#include "ui/figures/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::StageTokens)
};

QStringList numbers(core::Index count) {
    QStringList labels;
    for (core::Index i = 0; i < count; ++i)
        labels.append(QString::number(i));
    return labels;
}

/// What follows a token is what it leads to; what the last one leads to nobody knows yet.
QStringList withWritten(const core::Sequence &sequence, const QStringList &tokens) {
    QStringList labels;
    for (qsizetype i = 0; i < tokens.size(); ++i) {
        const auto index = static_cast<core::Index>(i);
        if (sequence.isPadding(index))
            labels.append(tokens[i]);
        else
            labels.append(QStringLiteral("%1 → %2").arg(tokens[i], index + 1 < sequence.length
                                                                       ? tokens.value(i + 1)
                                                                       : QStringLiteral("…")));
    }
    return labels;
}

bool isCausal(const core::MaskLayers &masks) {
    return std::ranges::any_of(masks, [](const core::MaskLayer &layer) {
        const auto *window = std::get_if<core::WindowMask>(&layer);
        return std::holds_alternative<core::CausalMask>(layer) || (window && !window->bothWays);
    });
}

} // namespace

QStringList tokensOf(const core::Batch &batch, core::Index sequence) {
    QStringList tokens;
    for (const std::string &token : batch[sequence].tokens)
        tokens.append(tokenText(token));
    return tokens;
}

QStringList tokensOf(const core::Trace &trace, core::Index sequence) {
    return tokensOf(trace.batch(), sequence);
}

const core::Batch &rowBatch(const core::Trace &trace, core::Stage stage, core::Site site) {
    const core::StageInfo &info = core::infoOf(stage);
    if (info.part == core::Part::Head)
        return trace.batch();
    return info.ofKeys() ? trace.keys(site) : trace.queries(site);
}

bool rowsAreSequences(core::Stage stage) {
    return stage == core::Stage::Pooled || stage == core::Stage::ClassLogits;
}

bool readsAndWrites(const core::Trace &trace, core::Stage stage, core::Site site) {
    const core::StageInfo &info = core::infoOf(stage);
    const core::Model &model = trace.model();
    if (info.ofKeys() || info.part == core::Part::Embedding || rowsAreSequences(stage))
        return false;
    if (info.part != core::Part::Head && site.stack != model.mainStack())
        return false;
    return isCausal(trace.input().masks) &&
           (model.hasEncoder() || model.config.head.kind == core::HeadKind::Language);
}

QStringList rowNames(const core::Trace &trace, const core::Selection &selection) {
    const core::Site site = selection.site();
    if (rowsAreSequences(selection.stage))
        return numbers(trace.batch().count());
    const core::Batch &batch = rowBatch(trace, selection.stage, site);
    const QStringList tokens = tokensOf(batch, selection.sequence);
    return readsAndWrites(trace, selection.stage, site)
               ? withWritten(batch[selection.sequence], tokens)
               : tokens;
}

QStringList columnNames(const core::Trace &trace, const core::Selection &selection,
                        core::Index count) {
    switch (core::infoOf(selection.stage).columns) {
    case core::Columns::Keys:
        return tokensOf(trace.keys(selection.site()), selection.sequence);
    case core::Columns::Words:
        if (const core::Vocabulary *words = trace.model().vocabularyOf(trace.model().mainStack())) {
            QStringList labels;
            for (core::Index word = 0; word < std::min(count, words->size()); ++word)
                labels.append(tokenText(words->word(word)));
            return labels;
        }
        break;
    case core::Columns::Dimensions:
    case core::Columns::Classes:
        break;
    }
    return numbers(count);
}

AxisNames axesOf(const core::Trace &trace, core::Stage stage, core::Site site) {
    if (rowsAreSequences(stage))
        return {Words::tr("sequence"),
                stage == core::Stage::Pooled ? Words::tr("dimension") : Words::tr("class")};
    const core::StageInfo &info = core::infoOf(stage);
    if (info.overKeys() && site.block == core::Block::CrossAttention)
        return trace.model().hasEncoder()
                   ? AxisNames{Words::tr("decoder, attends"), Words::tr("encoder, attended to")}
                   : AxisNames{Words::tr("target, attends"), Words::tr("source, attended to")};
    if (info.overKeys())
        return {Words::tr("query"), Words::tr("key")};
    return {readsAndWrites(trace, stage, site) ? Words::tr("read → written") : Words::tr("token"),
            info.columns == core::Columns::Words ? Words::tr("word") : Words::tr("dimension")};
}

} // namespace headlight::ui
