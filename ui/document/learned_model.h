// Descriptions of the built-in trained models. Each description is in a file next to its model and
// can be read without the model.
#pragma once

#include <QList>
#include <QString>

namespace headlight::ui {

struct LearnedModel {
    QString id, title;
    QString command; ///< command that trains the model again
    QString task;    ///< title of the task
    int layers = 0, heads = 0, width = 0;
    int steps = 0;
    double accuracy = 0;        ///< accuracy on held-out examples
    bool countsAnswers = false; ///< accuracy counts single answers, not examples
    int examples = 0;           ///< number of held-out examples
};

/// Returns the models in the order of modelIds().
const QList<LearnedModel> &learnedModels();

/// Returns "The reference of it: layers 2, heads 2, C = 32, trained for 3000 steps; 100 % of 4000
/// held-out examples are correct".
QString summaryOf(const LearnedModel &model);

} // namespace headlight::ui
