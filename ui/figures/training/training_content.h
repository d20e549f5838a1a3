// Content of the training figure: curves over the steps of a run, without layout.
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
            Batch,    ///< measured values, one per step
            Smoothed, ///< the batch curve after smoothing
            HeldOut,
            Head, ///< one head's measure
        };
        Kind kind = Kind::Batch;
        QString name;                  ///< label at the end of the curve; empty for none
        std::vector<QPointF> points;   ///< (step, value), ordered by step
        core::AttentionId attention{}; ///< attention module of a head
        core::Index head = 0;
        int order = 0; ///< position of the head's attention module in the model
        bool isSelected = false;
        bool isAblated = false; ///< curve of the ablated run
    };
    /// A reference value that does not depend on the run.
    struct Level {
        double value = 0;
        QString name;
    };
    struct Plot {
        enum class Kind { Loss, Accuracy, Heads };
        Kind kind = Kind::Loss;
        QString title, unit;
        std::vector<Curve> curves; ///< painted in this order
        std::vector<Level> levels;
        double low = 0, high = 1; ///< value range
        bool isLog = false;       ///< requires low > 0
    };

    QString title, subtitle;
    QString nothing; ///< why there is nothing to show; if set, there are no plots
    std::vector<Plot> plots;
    core::Index step = 0; ///< step of the model's parameters
    double lastStep = 1;  ///< right end of every plot
    int attentions = 0;   ///< number of attention modules with measured heads
    QString outcome; ///< result of the ablation study and claims in the literature, below the plots
};

/// Known properties of a task.
struct KnownTask {
    QString title;
    core::AccuracyUnit counts = core::AccuracyUnit::Examples;
    std::optional<double> chance{},
        best{}; ///< reference accuracies; unset for text, where they are unknown
};
std::optional<KnownTask> knownTask(const core::Recipe &recipe);

TrainingContent trainingContentOf(const core::TrainingRunPointer &run, const core::Model &model,
                                  const core::Selection &selection, core::HeadOrder measure);

/// Describes the measurements nearest to the step. Empty if there are none.
QString wordsAtStep(const core::TrainingRun &run, double step);

} // namespace headlight::ui
