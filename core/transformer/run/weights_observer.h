// Receives the attention weights of a forward pass while it runs.
#pragma once

#include "core/tensor/matrix.h"
#include "core/transformer/names/attention_id.h"

#include <memory>

namespace headlight::core {

class Trace;

class WeightsObserver {
  public:
    WeightsObserver() = default;
    WeightsObserver(const WeightsObserver &) = delete;
    WeightsObserver &operator=(const WeightsObserver &) = delete;
    virtual ~WeightsObserver() = default;

    /// Called once, before the other functions. `unfinished` has the model, the input, the masks
    /// and the plan of the pass, but no values, and computes none. The finished trace has the same
    /// plan object. `previous` (may be null) is the trace whose results are reused.
    virtual void begin(const std::shared_ptr<const Trace> &unfinished, const Trace *previous) = 0;
    /// Called before the rows of a module are passed if all of its weights, or their leading rows,
    /// are reused from the previous trace. Rows of single heads can be missing without such a call.
    enum class Reused { All, FirstRows };
    virtual void reuse(AttentionId attention, Reused reused) = 0;
    /// Receives rows of the weights of one head as soon as they are computed, starting with row
    /// `first`. The pass may overwrite them afterwards. Columns after the last key that one of
    /// these queries sees may be missing. Rows that are reused from an earlier trace are not
    /// passed. Called by several threads at once.
    virtual void take(AttentionId attention, Index sequence, Index head, Index first,
                      const MatrixView &rows) = 0;
};

} // namespace headlight::core
