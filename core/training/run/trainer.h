// Trains a model: step after step, each the same to the last bit whether or not the run was paused,
// saved and continued in between, and on however many threads.
#pragma once

#include "core/training/run/training_state.h"
#include "core/training/tasks/task.h"

#include <memory>
#include <stop_token>

namespace headlight::core {

/// On one thread at a time.
class Trainer {
  public:
    /// Goes on from the state. Errors: a recipe that is not valid, a model that does not fit the
    /// task, switches that training does not know (says which), not enough memory.
    static Result<Trainer> create(TrainingState state, TaskPointer task);
    Trainer(Trainer &&) noexcept;
    Trainer &operator=(Trainer &&) noexcept;
    ~Trainer();

    const Recipe &recipe() const;
    const Task &task() const;
    Index step() const; ///< how many were made
    bool isDone() const { return step() >= recipe().steps; }

    /// One batch: loss, gradients, new weights. Looks at `stop` every few milliseconds; a stopped
    /// step has changed nothing ("cancelled"). Error: a number is none or infinite, with the
    /// parameter or the loss, and the step; the state stays that before this step.
    Outcome advance(std::stop_token stop = {});

    /// Measures the held-out examples with the weights of now, and notes it in the history.
    Result<HeldOut> measureHeldOut(std::stop_token stop = {});

    /// The last step's loss and accuracy; none before the first.
    const History &history() const;

    /// The weights of now, as a model that is looked at: a copy.
    Model model() const;
    /// All of it: a copy.
    TrainingState state() const;
    /// Weights that a person has edited: training goes on from them. The moments stay. Error:
    /// another shape.
    Outcome setWeights(const Weights &weights);

  private:
    struct Parts;
    explicit Trainer(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace headlight::core
