#include "app/commands.h"
#include "app/text_table.h"
#include "app/words.h"
#include "core/format_number.h"
#include "core/formats/json/text.h"
#include "core/formats/session/data/fields.h"
#include "core/training/recipe/architecture.h"
#include "core/training/tasks/own_text.h"

#include <algorithm>

namespace headlight::app {

namespace {

/// Returns the task description for user text that has not been read yet.
const core::TaskInfo &infoOf(core::TextUnits units) {
    static const core::TaskInfo characters = core::ownTextInfo(core::TextUnits::Characters);
    static const core::TaskInfo words = core::ownTextInfo(core::TextUnits::Words);
    return units == core::TextUnits::Characters ? characters : words;
}

std::vector<const core::TaskInfo *> allInfos() {
    std::vector<const core::TaskInfo *> infos;
    for (const core::TaskPointer &task : core::allTasks())
        infos.push_back(&task->info());
    for (const core::TextUnits units : {core::TextUnits::Characters, core::TextUnits::Words})
        infos.push_back(&infoOf(units));
    return infos;
}

bool readsText(const core::TaskInfo &info) {
    return core::findTextUnits(info.id).has_value();
}

std::string textOf(const core::Message &message) {
    return ui::translated(message).toStdString();
}

std::string jsonOf(const core::TaskInfo &info) {
    const auto list = [](const std::vector<std::string> &words) {
        std::string text = "[";
        for (const std::string &word : words)
            text += (text.size() > 1 ? ", " : "") + core::jsonText(word);
        return text + "]";
    };
    std::vector<core::JsonMemberText> members{
        {"id", core::jsonText(info.id)},
        {"title", core::jsonText(textOf(info.title))},
        {"description", core::jsonText(textOf(info.description))},
        {"length", std::to_string(info.length)}};
    if (!readsText(info)) { // for a user text, these values depend on the text
        members.push_back({"words", list(info.words)});
        members.push_back({"chance", core::jsonNumber(static_cast<float>(info.chance))});
        members.push_back({"best", core::jsonNumber(static_cast<float>(info.best))});
    }
    if (info.sourceLength > 0) {
        members.push_back({"source_length", std::to_string(info.sourceLength)});
        members.push_back({"source_words", list(info.sourceWords)});
    }
    if (!info.classes.empty())
        members.push_back({"classes", list(info.classes)});
    members.push_back({"recipe", core::written(info.recipe)});
    return core::jsonObject(members);
}

QString numberText(double number) {
    return QString::fromStdString(core::rounded(number, 4));
}

std::string table() {
    QList<QStringList> rows{{Words::tr("id"), Words::tr("title"), Words::tr("words"),
                             Words::tr("tokens"), Words::tr("chance"), Words::tr("best"),
                             Words::tr("layers"), Words::tr("heads"), "C", "F",
                             Words::tr("steps")}};
    for (const core::TaskInfo *info : allInfos()) {
        const bool isOwn = readsText(*info);
        const core::Architecture &model = info->recipe.architecture;
        QStringList row{QString::fromStdString(info->id), ui::translated(info->title)};
        row << (isOwn ? "-" : QString::number(info->words.size())) << QString::number(info->length);
        for (const double share : {info->chance, info->best})
            row << (isOwn ? "-" : numberText(share));
        for (const core::Index size :
             {model.layers, model.heads, model.width, model.feedForward, info->recipe.steps})
            row << QString::number(size);
        rows.push_back(row);
    }
    return inColumns(rows, 2).toStdString();
}

} // namespace

int runTasks(const Arguments &arguments) {
    if (!arguments.json)
        return writeOutput("-", table());
    std::string lines;
    for (const core::TaskInfo *info : allInfos())
        lines += (lines.empty() ? "[" : ",\n ") + jsonOf(*info);
    return writeOutput("-", lines + "]\n");
}

} // namespace headlight::app
