// What the models that learned here say of themselves, each in a file beside it: read without the
// model.
#pragma once

#include <QList>
#include <QString>

namespace headlight::ui {

struct LearnedModel {
    QString id, title;
    QString command; ///< that makes it again
    QString task;    ///< what it learned, as the tasks are titled
    int layers = 0, heads = 0, width = 0;
    int steps = 0;
    double accuracy = 0; ///< of examples held out
    int examples = 0;    ///< so many
};

/// In the order of modelIds().
const QList<LearnedModel> &learnedModels();

/// "The reference of it: 2 layers, 2 heads, C = 32, learned in 3000 steps; right in 100 % of 4000
/// examples held out"
QString summaryOf(const LearnedModel &model);

} // namespace headlight::ui
