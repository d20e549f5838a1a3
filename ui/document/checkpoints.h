// Moments of a run that can be gone back to: as many as a budget of memory has room for, evenly
// over its steps.
#pragma once

#include "core/training/run/training_run.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headlight::ui {

/// All that is learned of one model.
struct ParameterSnapshot {
    core::Index step = 0;
    core::ModelParameters weights;
    core::ModelParameters firstMoment, secondMoment;
};

struct Checkpoint : ParameterSnapshot {
    std::optional<ParameterSnapshot> ablated{}; ///< at the same moment
};

/// The rival as it was at that moment, with all of its curves.
core::AblatedRunPointer ablatedRunAt(const ParameterSnapshot &checkpoint,
                                     const core::AblatedRun &ablated);

class Checkpoints {
  public:
    static constexpr std::size_t kBudget = std::size_t(64) << 20;
    explicit Checkpoints(std::size_t budget = kBudget) : m_budget(budget) {}

    /// The newest is always there; those between it and the first one go, every second of them,
    /// when there is no more room. Those of later steps, of a run that went another way, are
    /// forgotten.
    void add(const core::TrainingRun &run, const core::ModelParameters &weights);
    void clear();

    const std::vector<Checkpoint> &all() const { return m_all; }
    bool isEmpty() const { return m_all.empty(); }
    /// The one nearest to the step. !isEmpty().
    std::size_t nearest(core::Index step) const;
    std::size_t bytes() const { return m_all.size() * m_each; }
    std::size_t budget() const { return m_budget; }

  private:
    void thinOut();

    std::vector<Checkpoint> m_all; // in the order of the steps
    std::size_t m_budget;
    std::size_t m_each = 0;  // bytes of one
    core::Index m_every = 1; // the least distance between two that are kept
};

} // namespace headlight::ui
