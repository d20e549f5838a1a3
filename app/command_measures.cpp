#include "app/commands.h"
#include "app/head_table.h"
#include "app/interrupt.h"
#include "core/analysis/pass_glances.h"

namespace headlight::app {

namespace {

/// Returns the measures of --only in its order. Without --only, returns all computed measures.
std::vector<core::NamedMeasure> askedMeasures(const Arguments &arguments) {
    std::vector<core::NamedMeasure> asked;
    for (const QString &name : arguments.measures)
        for (const core::NamedMeasure &each : core::kEveryMeasure)
            if (name == ui::asWord(each.name))
                asked.push_back(each);
    if (asked.empty())
        asked.assign(core::kNamedMeasures.begin(), core::kNamedMeasures.end());
    if (arguments.measures.isEmpty() && arguments.similarTo)
        asked.push_back(core::kSimilarity);
    return asked;
}

/// Returns the head of --similar-to; unset without this option.
core::Result<std::optional<core::HeadId>> chosenHead(const Arguments &arguments,
                                                     const core::Model &model) {
    if (!arguments.similarTo)
        return std::optional<core::HeadId>();
    const auto attention = ui::attentionNamed(*arguments.similarTo, model, "--similar-to");
    if (!attention)
        return attention.error();
    return std::optional(core::HeadId{*attention, arguments.similarTo->head});
}

} // namespace

int runMeasures(const Arguments &arguments, std::stop_token stop) {
    core::Result<ui::OpenedSource> opened = openFor(arguments, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!opened)
        return fail(opened.error());
    const core::Index sequence = opened->selection.sequence;
    const auto chosen = chosenHead(arguments, opened->state.model);
    if (!chosen)
        return fail(chosen.error());
    // The pass of a long text does not keep the weights, so they are measured during the pass.
    core::PassGlances pass(sequence, *chosen);
    const core::Result<SourceAndTrace> source = traced(*std::move(opened), stop, &pass);
    if (stop.stop_requested())
        return kInterrupted;
    if (!source)
        return fail(source.error());
    const std::shared_ptr<const core::TraceGlances> known =
        pass.glancesOf(*source->trace, sequence);
    const auto heads = core::measuresOfHeads(*source->trace, sequence, stop,
                                             {.similarTo = *chosen, .known = known.get()});
    if (stop.stop_requested())
        return kInterrupted;
    if (!heads)
        return fail(heads.error());
    const HeadTable table = core::measuresAsTable(*heads, askedMeasures(arguments));
    return writeResult(arguments, arguments.json  ? core::measuresAsJson(table)
                                  : arguments.csv ? core::csvOf(table)
                                                  : textOf(table).toStdString());
}

} // namespace headlight::app
