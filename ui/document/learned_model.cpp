#include "ui/document/learned_model.h"

#include "core/format_number.h"
#include "core/training/tasks/task.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/text/core_message.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

namespace headlight::ui {

namespace {

struct LearnedModelText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::LearnedModel)
};

LearnedModel readNote(const QString &id) {
    QFile file(":/models/" + id + ".json");
    const QByteArray bytes = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    const QJsonObject note = QJsonDocument::fromJson(bytes).object();
    const QJsonObject recipe = note["recipe"].toObject();
    const QJsonObject sizes = recipe["architecture"].toObject();
    const QJsonObject heldOut = note["held_out"].toObject();
    LearnedModel model;
    model.id = id;
    model.title = note["title"].toString(id);
    model.command = note["command"].toString();
    if (const core::TaskPointer task = core::findTask(recipe["task"].toString().toStdString())) {
        model.task = translated(task->info().title);
        model.countsAnswers = task->info().counts == core::AccuracyUnit::Answers;
    }
    model.layers = sizes["layers"].toInt();
    model.heads = sizes["heads"].toInt();
    model.width = sizes["width"].toInt();
    model.steps = recipe["steps"].toInt();
    model.accuracy = heldOut["accuracy"].toDouble();
    model.examples = heldOut["examples"].toInt();
    return model;
}

} // namespace

const QList<LearnedModel> &learnedModels() {
    static const QList<LearnedModel> models = [] {
        QList<LearnedModel> all;
        for (const QString &id : modelIds())
            all << readNote(id);
        return all;
    }();
    return models;
}

QString summaryOf(const LearnedModel &model) {
    return (model.countsAnswers
                ? LearnedModelText::tr("%1: layers %2, heads %3, C = %4, trained for %5 steps; %6 "
                                       "% of the answers in %7 held-out examples are correct")
                : LearnedModelText::tr("%1: layers %2, heads %3, C = %4, trained for %5 steps; %6 "
                                       "% of %7 held-out examples are correct"))
        .arg(model.task)
        .arg(model.layers)
        .arg(model.heads)
        .arg(model.width)
        .arg(model.steps)
        .arg(QString::fromStdString(core::rounded(100 * model.accuracy, 2)))
        .arg(model.examples);
}

} // namespace headlight::ui
