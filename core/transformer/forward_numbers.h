// What the forward pass left for the way back: the stages of its trace and, of a trace that does
// not have all of them, those of one layer at a time.
#pragma once

#include "core/transformer/forward.h"

namespace headlight::core {

/// Makes the details of a layer itself rather than have the trace do it, so that others can look at
/// other layers of the trace meanwhile.
class ForwardNumbers {
  public:
    explicit ForwardNumbers(const Trace &trace) : m_trace(trace) {}

    /// Everything of this layer, or of the head, will be there; errors as forward().
    Outcome prepareLayer(Stack stack, Index layer, const std::stop_token &stop);
    Outcome prepareHead(const std::stop_token &stop);
    /// Null where the model has no such stage.
    Tensor stage(Stage stage, Site site = {}) const;

  private:
    const Trace &m_trace;
    Site m_layer{-1}; // that m_details is of; of the head: none
    std::vector<TraceEntry> m_details;
};

} // namespace headlight::core
