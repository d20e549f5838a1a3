#include "app/commands.h"
#include "app/head_table.h"
#include "app/interrupt.h"
#include "app/predicted_word.h"
#include "app/silencing.h"
#include "app/words.h"
#include "core/analysis/head_ablation.h"
#include "core/format_number.h"

namespace headlight::app {

namespace {

HeadTable tableOf(const core::AblatedHeads &ablated, const core::Model &model) {
    HeadTable table{{"logit_difference", "loss_difference"}, "top", {}};
    for (const core::HeadEffect &effect : ablated.heads)
        table.rows.push_back({effect.attention,
                              effect.head,
                              {effect.logitDifference, effect.lossDifference},
                              predictedWord(model, effect.top)});
    return table;
}

bool hasOwnText(const Arguments &arguments) {
    const auto &request = arguments.request;
    return request.text || request.targetText || request.tokenIds || request.targetTokenIds ||
           request.randomRepeats;
}

/// The line above the table: the prediction with all heads.
QString asItIs(const core::AblatedHeads &ablated, const core::Model &model) {
    const auto text = [](double number) { return QString::fromStdString(core::fixed(number, 4)); };
    const QString token = QString::fromStdString(predictedWord(model, ablated.token));
    return ablated.loss
               ? Words::tr("With all heads: logit of '%1' %2, loss of the text %3")
                     .arg(token, text(ablated.logit), text(*ablated.loss))
               : Words::tr("With all heads: logit of '%1' %2").arg(token, text(ablated.logit));
}

std::string effectsAsJson(const HeadTable &table) {
    std::vector<std::string> heads;
    for (const HeadRow &row : table.rows) {
        std::vector<core::JsonMemberText> members = headMembers(row);
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            members.push_back({table.columns[i], jsonNumberOf(row.numbers[i])});
        members.push_back({table.wordColumn, core::jsonText(row.word)});
        heads.push_back(core::jsonObject(members));
    }
    return core::jsonArray(heads, "\n ") + '\n';
}

} // namespace

int runAblate(const Arguments &arguments, std::stop_token stop) {
    const core::Result<SourceAndTrace> source = openAndTrace(arguments, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!source)
        return fail(source.error());
    const core::Trace &trace = *source->trace;
    const core::Model &model = trace.model();
    if (!source->opened.computable)
        return fail(core::captureError());
    core::AblationTarget target{.state = arguments.silencedWith};
    if (core::hasOutput(trace)) {
        core::Selection selection = source->opened.selection;
        if (hasOwnText(arguments)) // the source's selection belongs to another text
            selection.query.reset();
        target.place = core::outputPlaceOf(trace, selection);
    }
    if (arguments.token) {
        const core::Result<core::Index> token = tokenNamed(model, *arguments.token);
        if (!token)
            return fail(token.error());
        target.token = *token;
    }
    core::ComputedHeads computed;
    const auto ablated =
        ablatedHeads(computed, *source->opened.computable, source->trace, target, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!ablated)
        return fail(ablated.error());
    const HeadTable table = tableOf(**ablated, model);
    if (arguments.json)
        return writeResult(arguments, effectsAsJson(table));
    if (arguments.csv)
        return writeResult(arguments, csvOf(table));
    return writeResult(arguments,
                       (asItIs(**ablated, model) + "\n\n" + textOf(table)).toStdString());
}

} // namespace headlight::app
