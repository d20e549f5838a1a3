// Measures of every head of a trace, and what is known of the text that it attends to.
#pragma once

#include "core/analysis/head_measures.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

/// Returns what the measures need of a sequence. The trace must outlive the result. The mask of a
/// capture is unknown.
MeasuredText measuredTextOf(const Trace &trace, AttentionId attention, Index sequence);

struct HeadOfTrace {
    AttentionId attention;
    Index head = 0;
    HeadMeasures measures;
};

/// Measures the heads of all layers. Reads the attention weights of one head at a time, so that
/// those of many heads are never in memory together. Errors: no attention weights, as in some
/// captures; those of Trace::madeMatrix(); "cancelled".
Result<std::vector<HeadOfTrace>> measuresOfHeads(const Trace &trace, Index sequence,
                                                 const std::stop_token &stop = {});

} // namespace headlight::core
