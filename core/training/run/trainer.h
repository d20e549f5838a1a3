// Trains a model. Steps are bit-identical for any number of threads, even if the run was paused,
// saved and resumed.
#pragma once

#include "core/training/run/training_state.h"
#include "core/training/run/weight_update.h"
#include "core/training/tasks/task.h"

#include <memory>
#include <stop_token>

namespace headlight::core {

/// Not thread-safe.
class Trainer {
  public:
    /// Resumes a run from a state. Errors: an invalid recipe; the model or the moments do not fit
    /// the task; training does not support the model; not enough memory.
    static Result<Trainer> create(TrainingState state, TaskPointer task);
    /// Starts a run with the recipe's initial model.
    static Result<Trainer> create(const Recipe &recipe, TaskPointer task);
    Trainer(Trainer &&) noexcept;
    Trainer &operator=(Trainer &&) noexcept;
    ~Trainer();

    const Recipe &recipe() const;
    const Task &task() const;
    Index step() const; ///< number of completed steps
    bool isDone() const { return step() >= recipe().steps; }

    /// Trains on one batch: computes loss and gradients, updates the parameters, and adds a point
    /// to the history. Checks `stop` every few milliseconds. Errors: "cancelled"; NaN or infinity,
    /// with the step and the kind of value. After any error, the state is the same as before the
    /// step.
    Outcome advance(std::stop_token stop = {});

    /// Computes what the next step will do to one element of a parameter, without changing the
    /// state. Errors: as advance(); the element does not exist or is not trained.
    Result<WeightUpdate> nextUpdate(const ParameterId &id, Index row, Index column,
                                    std::stop_token stop = {});

    /// True if it is time to measure held-out examples and heads: at the first step, about a
    /// hundred times in between, and at the end. Measuring is cheap compared with the steps in
    /// between.
    bool isTimeToMeasure() const;
    /// Measures held-out examples and heads with the current parameters, and adds the results to
    /// the history.
    Result<HeldOut> measure(std::stop_token stop = {});

    const History &history() const;

    /// Returns a copy of the model with the current parameters.
    Model model() const;
    /// Returns a copy of the whole state.
    TrainingState state() const;
    /// Replaces the parameters, for example after the user has edited them. Training continues with
    /// the current moments. Errors: a parameter is missing or has a different shape.
    Outcome setWeights(const ModelParameters &weights);

  private:
    struct Made;
    /// Computes one step without changing the current parameters.
    Result<Made> makeStep(std::stop_token stop);

    struct Parts;
    explicit Trainer(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace headlight::core
