// Measures of every head of a trace, and the text that they need.
#pragma once

#include "core/analysis/head_measures.h"
#include "core/transformer/run/progress.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

struct TraceGlances;

/// Returns the text that the measures of a head need. The trace must outlive the result. The mask
/// of a capture is unknown.
MeasuredText measuredTextOf(const Trace &trace, AttentionId attention, Index sequence);

struct HeadOfTrace {
    AttentionId attention;
    Index head = 0;
    HeadMeasures measures;
};

struct MeasureOptions {
    std::optional<HeadId> similarTo{}; ///< also measure the similarity to this head
    Progress *progress = nullptr;      ///< attention modules that are done; may be null
    /// Overviews of the same heads; may be null. Their measures are used instead of being computed
    /// again. Their similarities are used only if they refer to the same head.
    const TraceGlances *known = nullptr;
};

/// Measures the heads of all layers. If the attention weights must be computed, reads one head at a
/// time, so that only this head and `similarTo` are in memory. Errors: no attention weights, as in
/// some captures; those of ChosenHead::of() and forEachHead(); "cancelled".
Result<std::vector<HeadOfTrace>> measuresOfHeads(const Trace &trace, Index sequence,
                                                 const std::stop_token &stop = {},
                                                 const MeasureOptions &options = {});

} // namespace headlight::core
