// The interfaces through which a trace gets the stages that it does not contain. The forward pass
// and the file readers implement them, because a trace is only data and must depend on neither.
#pragma once

#include "core/tensor/tensor.h"
#include "core/transformer/plan/plan.h"

#include <stop_token>
#include <vector>

namespace headlight::core {

class Trace;

/// Computes stages. Safe to use from any thread. Errors: those of forward().
class StageComputer {
  public:
    StageComputer() = default;
    StageComputer(const StageComputer &) = delete;
    StageComputer &operator=(const StageComputer &) = delete;
    virtual ~StageComputer() = default;

    /// Computes one step. `known` and the result have one tensor per step of the plan, null if its
    /// values are unknown.
    virtual Result<std::vector<Tensor>> step(const Trace &trace, std::vector<Tensor> known,
                                             StepId step, std::stop_token stop) const = 0;
    /// Computes some rows of one matrix of a step, [rows.count, columns].
    virtual Result<SharedMatrix> rows(const Trace &trace, std::vector<Tensor> known, StepId step,
                                      Index sequence, Index head, Rows rows,
                                      std::stop_token stop) const = 0;
    /// Computes one row of all named steps over words. The result has one matrix [1, V] per step of
    /// the plan, empty for the others.
    virtual Result<std::vector<SharedMatrix>> rowOfWords(const Trace &trace,
                                                         std::vector<Tensor> known, Index sequence,
                                                         Index row, std::stop_token stop) const = 0;
    /// Computes the steps of one layer from the layer's input, except steps that are computed one
    /// head at a time. Reuses stages of `earlier` (may be null) whose inputs have not changed.
    virtual Result<std::vector<Tensor>> layer(const Trace &trace, Stack stack, Index layer,
                                              std::stop_token stop, const Trace *earlier) const = 0;
    /// Computes the steps of the output layer, except steps that are computed one row at a time.
    virtual Result<std::vector<Tensor>> outputLayer(const Trace &trace,
                                                    std::stop_token stop) const = 0;
};

/// Returns the object that computes the stages of all traces. core/transformer/run implements it.
const StageComputer &stageComputer();

/// Reads stages of a large capture on demand, because the trace of a capture cannot recompute them.
/// Thread-safe.
class StageSource {
  public:
    StageSource() = default;
    StageSource(const StageSource &) = delete;
    StageSource &operator=(const StageSource &) = delete;
    virtual ~StageSource() = default;

    /// Reads all values of a step. Errors: the values cannot be read (with their location);
    /// "cancelled".
    virtual Result<Tensor> stage(StepId step, const std::stop_token &stop) const = 0;
    /// Reads some rows of one matrix of a step.
    virtual Result<SharedMatrix> rows(StepId step, Index sequence, Index head, Rows rows,
                                      const std::stop_token &stop) const = 0;
};

} // namespace headlight::core
