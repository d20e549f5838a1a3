// Computes the stages that a trace does not hold. A trace is data and knows no pass: the forward
// pass implements this.
#pragma once

#include "core/tensor/tensor.h"
#include "core/transformer/plan/plan.h"

#include <stop_token>
#include <vector>

namespace headlight::core {

class Trace;

/// Safe to use from any thread. Errors: those of forward().
class StageComputer {
  public:
    StageComputer() = default;
    StageComputer(const StageComputer &) = delete;
    StageComputer &operator=(const StageComputer &) = delete;
    virtual ~StageComputer() = default;

    /// Computes one step. `known` and the result have one tensor per step of the plan, null if its
    /// numbers are unknown.
    virtual Result<std::vector<Tensor>> step(const Trace &trace, std::vector<Tensor> known,
                                             StepId step, std::stop_token stop) const = 0;
    /// Computes rows of one matrix of a step, [rows.count, columns].
    virtual Result<SharedMatrix> rows(const Trace &trace, std::vector<Tensor> known, StepId step,
                                      Index sequence, Index head, Rows rows,
                                      std::stop_token stop) const = 0;
    /// Computes the steps of one layer from its input, except those made one head at a time. What
    /// `earlier` (may be null) holds and would come out the same is taken from it.
    virtual Result<std::vector<Tensor>> layer(const Trace &trace, Stack stack, Index layer,
                                              std::stop_token stop, const Trace *earlier) const = 0;
    /// Computes the steps of the output layer.
    virtual Result<std::vector<Tensor>> outputLayer(const Trace &trace,
                                                    std::stop_token stop) const = 0;
};

/// Returns the one computer of all traces. Implemented in core/transformer/run.
const StageComputer &stageComputer();

} // namespace headlight::core
