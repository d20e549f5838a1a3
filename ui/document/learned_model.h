// Descriptions of the built-in trained models. Each is stored in a file next to the model and read
// without it.
#pragma once

#include <QList>
#include <QString>

namespace headlight::ui {

struct LearnedModel {
    QString id, title;
    QString command; ///< command that trains it again
    QString task;    ///< title of its task
    int layers = 0, heads = 0, width = 0;
    int steps = 0;
    double accuracy = 0;        ///< accuracy on held-out examples
    bool countsAnswers = false; ///< accuracy counts single answers, not examples
    int examples = 0;           ///< number of held-out examples
};

/// Returns the models in the order of modelIds().
const QList<LearnedModel> &learnedModels();

/// Returns "The reference of it: 2 layers, 2 heads, C = 32, learned in 3000 steps; right in 100 %
/// of 4000 examples held out".
QString summaryOf(const LearnedModel &model);

} // namespace headlight::ui
