// Reads stages of a large capture on demand, because the trace of a capture cannot recompute them.
#pragma once

#include "core/tensor/tensor.h"
#include "core/transformer/plan/plan.h"

#include <stop_token>

namespace headlight::core {

/// A source of stages. Thread-safe.
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
