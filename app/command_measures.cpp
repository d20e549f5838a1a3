#include "app/commands.h"
#include "app/head_table.h"
#include "app/interrupt.h"
#include "core/analysis/heads_of_trace.h"

namespace headlight::app {

namespace {

/// Returns the requested measures, in the order of --only.
std::vector<core::NamedMeasure> askedMeasures(const QStringList &names) {
    std::vector<core::NamedMeasure> asked;
    for (const QString &name : names)
        for (const core::NamedMeasure &each : core::kNamedMeasures)
            if (name == QLatin1String(each.name.data(), qsizetype(each.name.size())))
                asked.push_back(each);
    if (asked.empty())
        asked.assign(std::begin(core::kNamedMeasures), std::end(core::kNamedMeasures));
    return asked;
}

HeadTable tableOf(const std::vector<core::HeadOfTrace> &heads,
                  const std::vector<core::NamedMeasure> &asked) {
    HeadTable table;
    for (const core::NamedMeasure &each : asked)
        table.columns.emplace_back(each.name);
    for (const core::HeadOfTrace &head : heads) {
        HeadRow row{head.attention, head.head, {}};
        for (const core::NamedMeasure &each : asked)
            row.numbers.push_back(head.measures.*each.measure);
        table.rows.push_back(row);
    }
    return table;
}

std::string measuresAsJson(const HeadTable &table) {
    std::vector<std::string> heads;
    for (const HeadRow &row : table.rows) {
        std::vector<core::JsonMemberText> measures;
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            measures.push_back({table.columns[i], jsonNumberOf(row.numbers[i])});
        std::vector<core::JsonMemberText> members = placeOf(row);
        members.push_back({"measures", core::jsonObject(measures)});
        heads.push_back(core::jsonObject(members));
    }
    return core::jsonArray(heads, "\n ") + '\n';
}

} // namespace

int runMeasures(const Arguments &arguments, std::stop_token stop) {
    const core::Result<SourceAndTrace> source = openAndTrace(arguments, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!source)
        return fail(source.error());
    const auto heads =
        core::measuresOfHeads(*source->trace, source->opened.selection.sequence, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!heads)
        return fail(heads.error());
    const HeadTable table = tableOf(*heads, askedMeasures(arguments.measures));
    return writeResult(arguments, arguments.json  ? measuresAsJson(table)
                                  : arguments.csv ? csvOf(table)
                                                  : textOf(table).toStdString());
}

} // namespace headlight::app
