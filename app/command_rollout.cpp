// `rollout` and `flow`: attention through all layers.
#include "app/commands.h"
#include "app/interrupt.h"
#include "app/text_table.h"
#include "app/words.h"
#include "core/analysis/attention_flow.h"
#include "core/format_number.h"
#include "core/formats/csv.h"
#include "core/formats/json/text.h"

namespace headlight::app {

namespace {

/// A value for each token of the last layer (row) and each input token (column).
struct MixedTokens {
    const char *name; ///< name in JSON
    bool isDistribution;
    core::TokenMixing numbers;
    std::vector<std::string> tokens;
};

std::string mixedAsText(const MixedTokens &mixed) {
    QStringList heading{""};
    for (const std::string &token : mixed.tokens)
        heading << QString::fromStdString(oneLine(token));
    QList<QStringList> lines{heading};
    for (core::Index i = 0; i < mixed.numbers.size; ++i) {
        QStringList line{heading[i + 1]};
        for (const double number : mixed.numbers.row(i))
            line << QString::fromStdString(core::fixed(number, 4));
        lines << line;
    }
    const QString remark =
        mixed.isDistribution
            ? Words::tr("Attention rollout: each row is a token of the last layer and sums to 1.")
            : Words::tr("Attention flow: each row is a token of the last layer. It is not a "
                        "distribution: rows do not sum to 1.");
    return (remark + "\n\n" + inColumns(lines, 1)).toStdString();
}

std::string mixedAsCsv(const MixedTokens &mixed) {
    const core::Index size = mixed.numbers.size;
    core::Matrix numbers(size, size);
    for (core::Index i = 0; i < size; ++i)
        for (core::Index j = 0; j < size; ++j)
            numbers(i, j) = static_cast<float>(mixed.numbers(i, j));
    return core::toCsv({"", mixed.tokens, mixed.tokens, std::as_const(numbers).view()});
}

std::string mixedAsJson(const MixedTokens &mixed) {
    std::vector<std::string> tokens, rows;
    for (const std::string &token : mixed.tokens)
        tokens.push_back(core::jsonText(token));
    for (core::Index i = 0; i < mixed.numbers.size; ++i) {
        std::vector<std::string> row;
        for (const double number : mixed.numbers.row(i))
            row.push_back(core::jsonNumber(static_cast<float>(number)));
        rows.push_back(core::jsonArray(row));
    }
    return core::jsonObject({{"kind", core::jsonText(mixed.name)},
                             {"is_distribution", mixed.isDistribution ? "true" : "false"},
                             {"tokens", core::jsonArray(tokens)},
                             {"rows", core::jsonArray(rows, "\n ")}}) +
           '\n';
}

core::Result<core::TokenMixing> numbersOf(const core::Trace &trace, core::Stack stack,
                                          core::Index sequence, bool isFlow,
                                          const std::stop_token &stop) {
    if (!isFlow)
        return core::attentionRollout(trace, stack, sequence, stop);
    const core::Index tokens =
        trace.queries({0, core::Block::SelfAttention, stack})[sequence].length;
    if (tokens > core::kMaxFlowTokens) // checked before the weights of all layers are read
        return core::attentionFlow(std::vector{core::TokenMixing(tokens)}, stop);
    const auto layers = core::mixedLayers(trace, stack, sequence, stop);
    if (!layers)
        return layers.error();
    return core::attentionFlow(*layers, stop);
}

int runMixing(const Arguments &arguments, const std::stop_token &stop, bool isFlow) {
    const core::Result<SourceAndTrace> source = openAndTrace(arguments, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!source)
        return fail(source.error());
    const core::Trace &trace = *source->trace;
    const core::Stack stack = arguments.request.stack.value_or(trace.model().mainStack());
    const core::Index sequence = source->opened.selection.sequence;
    core::Result<core::TokenMixing> numbers = numbersOf(trace, stack, sequence, isFlow, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!numbers)
        return fail(numbers.error());
    const core::Sequence &text = trace.queries({0, core::Block::SelfAttention, stack})[sequence];
    MixedTokens mixed{isFlow ? "flow" : "rollout", !isFlow, *std::move(numbers),
                      core::textsOf(text.tokens)};
    mixed.tokens.resize(static_cast<std::size_t>(mixed.numbers.size));
    return writeResult(arguments,
                       arguments.json  ? mixedAsJson(mixed)
                       : arguments.csv ? mixedAsCsv(mixed)
                                       : mixedAsText(mixed),
                       stop);
}

} // namespace

int runRollout(const Arguments &arguments, std::stop_token stop) {
    return runMixing(arguments, stop, false);
}

int runFlow(const Arguments &arguments, std::stop_token stop) {
    return runMixing(arguments, stop, true);
}

} // namespace headlight::app
