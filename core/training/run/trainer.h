// Trains a model: step after step, each the same to the last bit whether or not the run was paused,
// saved and continued in between, and on however many threads.
#pragma once

#include "core/training/run/training_state.h"
#include "core/training/run/weight_update.h"
#include "core/training/tasks/task.h"

#include <memory>
#include <stop_token>

namespace headlight::core {

/// On one thread at a time.
class Trainer {
  public:
    /// Goes on from the state. Errors: a recipe that is not valid, a model or moments that do not
    /// fit the task, what training does not know, not enough memory.
    static Result<Trainer> create(TrainingState state, TaskPointer task);
    /// From the beginning: the recipe's model with its first weights.
    static Result<Trainer> create(const Recipe &recipe, TaskPointer task);
    Trainer(Trainer &&) noexcept;
    Trainer &operator=(Trainer &&) noexcept;
    ~Trainer();

    const Recipe &recipe() const;
    const Task &task() const;
    Index step() const; ///< how many were made
    bool isDone() const { return step() >= recipe().steps; }

    /// One batch: loss, gradients, new weights, and a point of the history. Looks at `stop` every
    /// few milliseconds, from the first product to the last new weight; a stopped step has changed
    /// nothing ("cancelled"). Error: a number is none or infinite, with the step and what it was;
    /// the state stays that before this step.
    Outcome advance(std::stop_token stop = {});

    /// What the next step will do to one weight; nothing is changed. Errors: as advance(); a weight
    /// that nobody learns, or that is not there.
    Result<WeightUpdate> nextUpdate(const ParameterId &id, Index row, Index column,
                                    std::stop_token stop = {});

    /// Held-out examples and heads are due: at the first step, a hundred times on the way, and at
    /// the end. What they cost is small beside the steps between.
    bool isTimeToMeasure() const;
    /// Measures both with the weights of now, and notes them at this step.
    Result<HeldOut> measure(std::stop_token stop = {});

    const History &history() const;

    /// With the weights of now: a copy.
    Model model() const;
    /// All of it: a copy.
    TrainingState state() const;
    /// Weights that a person has edited: training goes on from them, with the moments as they are.
    /// Error: a parameter of another shape, or none where there was one.
    Outcome setWeights(const ModelParameters &weights);

  private:
    struct Made;
    /// One step from the weights of now, which stay as they are.
    Result<Made> makeStep(std::stop_token stop);

    struct Parts;
    explicit Trainer(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace headlight::core
