// Checkpoints of a training run, so that the user can go back. Keeps as many as fit a memory
// budget, evenly spaced over the steps.
#pragma once

#include "core/training/run/training_run.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headlight::ui {

/// A model's parameters and the optimizer's moments after a step.
struct ParameterSnapshot {
    core::Index step = 0;
    core::ModelParameters weights;
    core::ModelParameters firstMoment, secondMoment;
};

struct Checkpoint : ParameterSnapshot {
    std::optional<ParameterSnapshot> ablated{}; ///< ablated run at the same step, if any
};

/// Returns the ablated run as it was at the checkpoint, with all of its curves.
core::AblatedRunPointer ablatedRunAt(const ParameterSnapshot &checkpoint,
                                     const core::AblatedRun &ablated);

class Checkpoints {
  public:
    static constexpr std::size_t kBudget = std::size_t(64) << 20;
    explicit Checkpoints(std::size_t budget = kBudget) : m_budget(budget) {}

    /// Always keeps the first and newest checkpoints. When over budget, drops every second one in
    /// between. Going back and training on discards later ones.
    void add(const core::TrainingRun &run, const core::ModelParameters &weights);
    void clear();

    const std::vector<Checkpoint> &all() const { return m_all; }
    bool isEmpty() const { return m_all.empty(); }
    /// Returns the index of the checkpoint nearest to the step. Requires !isEmpty().
    std::size_t nearest(core::Index step) const;
    std::size_t bytes() const { return m_all.size() * m_each; }
    std::size_t budget() const { return m_budget; }

  private:
    void thinOut();

    std::vector<Checkpoint> m_all; // sorted by step
    std::size_t m_budget;
    std::size_t m_each = 0;  // bytes of one checkpoint
    core::Index m_every = 1; // minimum distance between kept checkpoints, in steps
};

} // namespace headlight::ui
