// Where the numbers of a trace are that were neither held nor can be computed: those of a large
// capture, which stay in its file.
#pragma once

#include "core/tensor/tensor.h"
#include "core/transformer/plan/plan.h"

#include <stop_token>

namespace headlight::core {

/// Safe to read from any thread.
class StageSource {
  public:
    StageSource() = default;
    StageSource(const StageSource &) = delete;
    StageSource &operator=(const StageSource &) = delete;
    virtual ~StageSource() = default;

    /// All of a step's numbers. Errors: they cannot be read, and where they lie; "cancelled".
    virtual Result<Tensor> stage(StepId step, const std::stop_token &stop) const = 0;
    /// Rows of one of its matrices.
    virtual Result<SharedMatrix> rows(StepId step, Index sequence, Index head, Rows rows,
                                      const std::stop_token &stop) const = 0;
};

} // namespace headlight::core
