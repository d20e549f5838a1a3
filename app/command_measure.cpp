#include "app/commands.h"
#include "app/interrupt.h"
#include "app/text_table.h"
#include "app/words.h"
#include "core/cancelled.h"
#include "core/format_number.h"
#include "core/formats/json/text.h"
#include "core/training/run/task_measurement.h"

#include <algorithm>

namespace headlight::app {

namespace {

using core::MeasuredHead;
using core::TaskMeasurement;

constexpr core::Index kMeasuredExamples = 1000;

core::Result<core::TaskPointer> taskOf(const core::TrainingRunPointer &run) {
    if (!run)
        return errorOf(Words::tr("it has no training run, and so no task to measure it on"), "",
                       Words::tr("use a session with a training run"));
    const core::TaskPointer task = run->ownText ? run->ownText : core::findTask(run->recipe.task);
    if (!task)
        return errorOf(
            Words::tr("the session does not contain the training text"), "",
            Words::tr("train on a text of at most 2 MB, which the session then contains"));
    return task;
}

QString text(const std::optional<double> &number) {
    return number ? QString::fromStdString(core::fixed(*number, 4)) : QString("-");
}

std::string json(const std::optional<double> &number) {
    return number ? core::jsonNumber(static_cast<float>(*number)) : "null";
}

/// Returns, for example, "layer 0, head 2".
QString nameOf(const MeasuredHead &head) {
    return Words::tr("layer %1, head %2").arg(head.attention.layer).arg(head.head);
}

QString tableOf(const TaskMeasurement &measured, const core::TaskInfo &task) {
    QString all = Words::tr("%1: %2 held-out examples, loss %3")
                      .arg(QString::fromStdString(task.id))
                      .arg(measured.examples)
                      .arg(text(measured.heldOut.loss)) +
                  "\n\n";
    const QString chance = text(task.chance);
    const bool ofAnswers = task.counts == core::AccuracyUnit::Answers;
    QList<QStringList> rows{{Words::tr("rule"),
                             ofAnswers ? Words::tr("answers") : Words::tr("examples"),
                             Words::tr("accuracy"), Words::tr("bigram"), Words::tr("chance")}};
    for (const core::RuleAccuracy &rule : measured.rules)
        rows << QStringList{ui::translated(rule.rule), QString::number(rule.answers),
                            text(rule.accuracy), text(rule.bigram), chance};
    rows << QStringList{Words::tr("all"),
                        QString::number(ofAnswers ? measured.answers : measured.examples),
                        text(measured.heldOut.accuracy), text(measured.bigram), chance};
    all += inColumns(rows, 1);
    if (measured.heads.empty())
        return all;
    rows = {{Words::tr("head"), Words::tr("previous token"), Words::tr("induction"),
             Words::tr("loss without head"), Words::tr("accuracy without head")}};
    for (const MeasuredHead &head : measured.heads)
        rows << QStringList{nameOf(head), text(head.previousToken), text(head.induction),
                            text(head.silencedLoss), text(head.silencedAccuracy)};
    return all + '\n' + inColumns(rows, 1);
}

std::string jsonOf(const TaskMeasurement &measured, const core::TaskInfo &task) {
    std::vector<std::string> rules, heads;
    for (const core::RuleAccuracy &rule : measured.rules)
        rules.push_back(core::jsonObject({{"rule", core::jsonText(rule.rule.text())},
                                          {"answers", std::to_string(rule.answers)},
                                          {"accuracy", json(rule.accuracy)},
                                          {"bigram", json(rule.bigram)}}));
    for (const MeasuredHead &head : measured.heads)
        heads.push_back(core::jsonObject({{"layer", std::to_string(head.attention.layer)},
                                          {"head", std::to_string(head.head)},
                                          {"previous_token", json(head.previousToken)},
                                          {"induction", json(head.induction)},
                                          {"silenced_loss", json(head.silencedLoss)},
                                          {"silenced_accuracy", json(head.silencedAccuracy)}}));
    return core::jsonObject({{"task", core::jsonText(task.id)},
                             {"examples", std::to_string(measured.examples)},
                             {"answers", std::to_string(measured.answers)},
                             {"loss", json(measured.heldOut.loss)},
                             {"accuracy", json(measured.heldOut.accuracy)},
                             {"bigram", json(measured.bigram)},
                             {"chance", json(task.chance)},
                             {"rules", core::jsonArray(rules, "\n ")},
                             {"heads", core::jsonArray(heads, "\n ")}}) +
           '\n';
}

} // namespace

int runMeasure(const Arguments &arguments, std::stop_token stop) {
    const core::Result<ui::OpenedSource> opened = openFor(arguments, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!opened)
        return fail(opened.error());
    const core::TrainingRunPointer &run = opened->state.training;
    const core::Result<core::TaskPointer> task = taskOf(run);
    if (!task)
        return fail(task.error());
    const core::Result<TaskMeasurement> measured =
        core::measureTask(**task, opened->state.model, run->recipe, kMeasuredExamples, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!measured)
        return fail(measured.error());
    const core::TaskInfo &info = (*task)->info();
    return writeOutput("-", arguments.json ? jsonOf(*measured, info)
                                           : tableOf(*measured, info).toStdString());
}

} // namespace headlight::app
