// What a run never learns from, and is measured by.
#pragma once

#include "core/training/pass/training_pass.h"
#include "core/training/run/history.h"
#include "core/training/tasks/task.h"

#include <optional>
#include <span>
#include <stop_token>

namespace headlight::core {

/// Of what the task counts.
inline double accuracyOf(const PassResult &result, const TaskInfo &task) {
    return task.counts == AccuracyUnit::Answers ? result.answersRight : result.accuracy;
}

/// The held-out examples that runs are measured by.
std::vector<Example> heldOutOf(const Task &task, Index count = 256);

/// The same for every run of the task, so that runs can be compared.
class HeldOutExamples {
  public:
    /// `count` of them, as such a model is asked.
    HeldOutExamples(const Task &task, const Architecture &architecture, Index count = 256);

    /// Of all of them. None: stopped.
    std::optional<HeldOut> measure(TrainingPass &pass, const float *weights,
                                   const std::stop_token &stop);
    /// Of the first few: the mean of each head's measures, [attention][head], in the order of
    /// Model::attentions().
    Result<std::vector<std::vector<HeadMeasures>>> heads(const Model &model, const Input &masks,
                                                         const std::stop_token &stop) const;

  private:
    std::optional<PassResult> passOver(std::span<const Example> examples, TrainingPass &pass,
                                       const float *weights, const std::stop_token &stop);
    std::optional<double> measureWriting(TrainingPass &pass, const float *weights,
                                         const std::stop_token &stop);

    const TaskInfo &m_info; // the task outlives this
    std::vector<Example> m_examples;
    std::vector<std::vector<Example>> m_written; // of a model without a mask, its first examples
    TrainingBatch m_batch{};
};

} // namespace headlight::core
