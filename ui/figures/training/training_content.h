// What there is to show of a run: curves over its steps, in words and numbers, without a place.
#pragma once

#include "core/analysis/head_measures.h"
#include "core/selection/selection.h"
#include "core/training/run/training_run.h"
#include "core/training/tasks/task.h"
#include "core/transformer/model/model.h"

#include <QPointF>
#include <QString>

#include <optional>
#include <vector>

namespace headlight::ui {

struct TrainingContent {
    struct Curve {
        enum class Kind {
            Batch,    ///< as it was measured, one batch a step
            Smoothed, ///< the same, averaged over its neighbours
            HeldOut,
            Head, ///< one head's measure
        };
        Kind kind = Kind::Batch;
        QString name;                  ///< beside its end; empty: it needs none
        std::vector<QPointF> points;   ///< step and value, in the order of the steps
        core::AttentionId attention{}; ///< of a head
        core::Index head = 0;
        int order = 0; ///< of a head: of its attention in the computation
        bool isSelected = false;
        bool isAblated = false; ///< in a race, of the other run
    };
    /// A value that does not depend on the run.
    struct Level {
        double value = 0;
        QString name;
    };
    struct Plot {
        enum class Kind { Loss, Accuracy, Heads };
        Kind kind = Kind::Loss;
        QString title, unit;
        std::vector<Curve> curves; ///< those painted last are on top
        std::vector<Level> levels;
        double low = 0, high = 1; ///< of the values
        bool isLog = false;       ///< low is more than 0 then
    };

    QString title, subtitle;
    QString nothing; ///< why there is nothing to show; then there are no plots
    std::vector<Plot> plots;
    core::Index step = 0; ///< that the model is of
    double lastStep = 1;  ///< at the right of every plot
    int attentions = 0;   ///< that heads are measured of
    QString outcome;      ///< of a race, beneath the plots: what articles say, and what came out
};

/// What is known of its task, where the program has it.
struct KnownTask {
    QString title;
    core::AccuracyUnit counts = core::AccuracyUnit::Examples;
    std::optional<double> chance{}, best{}; ///< of the accuracy; none: of a text nobody knows it
};
std::optional<KnownTask> knownTask(const core::Recipe &recipe);

TrainingContent trainingContentOf(const core::TrainingRunPointer &run, const core::Model &model,
                                  const core::Selection &selection, core::HeadOrder measure);

/// What was measured at the point of the history nearest to the step, in words; empty: nothing was.
QString wordsAtStep(const core::TrainingRun &run, double step);

} // namespace headlight::ui
