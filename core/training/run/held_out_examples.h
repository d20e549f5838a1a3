// Held-out examples, on which runs are measured.
#pragma once

#include "core/training/pass/training_pass.h"
#include "core/training/run/history.h"
#include "core/training/tasks/task.h"

#include <optional>
#include <span>
#include <stop_token>

namespace headlight::core {

/// Returns the accuracy in the unit that the task uses.
inline double accuracyOf(const PassResult &result, const TaskInfo &task) {
    return task.counts == AccuracyUnit::Answers ? result.answersRight : result.accuracy;
}

/// Returns the task's held-out examples.
std::vector<Example> heldOutOf(const Task &task, Index count = 256);

/// Measures runs on held-out examples. They are the same for all runs of a task, so that runs can
/// be compared.
class HeldOutExamples {
  public:
    /// Draws `count` examples, with targets for a model of this architecture.
    HeldOutExamples(const Task &task, const Architecture &architecture, Index count = 256)
        : HeldOutExamples(task, architecture, heldOutOf(task, count)) {}
    /// Uses `examples` instead of drawing them.
    HeldOutExamples(const Task &task, const Architecture &architecture,
                    std::vector<Example> examples);

    /// Measures all examples. Returns nullopt if stopped.
    std::optional<HeldOut> measure(TrainingPass &pass, const float *weights,
                                   const std::stop_token &stop);
    /// Returns the mean measures of each head over the first few examples, as [attention][head] in
    /// the order of Model::attentions().
    Result<std::vector<std::vector<HeadMeasures>>> heads(const Model &model, const Input &masks,
                                                         const std::stop_token &stop) const;

  private:
    std::optional<PassResult> passOver(std::span<const Example> examples, TrainingPass &pass,
                                       const float *weights, const std::stop_token &stop);
    std::optional<double> measureWriting(TrainingPass &pass, const float *weights,
                                         const std::stop_token &stop);

    const TaskInfo &m_info; // the task outlives this object
    std::vector<Example> m_examples;
    std::vector<std::vector<Example>>
        m_written; // parts of the first examples, to measure generation
    TrainingBatch m_batch{};
};

} // namespace headlight::core
