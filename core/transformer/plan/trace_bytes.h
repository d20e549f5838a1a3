// The memory of a trace, before anything is computed.
#pragma once

#include "core/transformer/plan/plan.h"

namespace headlight::core {

/// Maximum memory of a trace. A longer input is rejected with the maximum length in the error.
inline constexpr Index kTraceBudgetBytes = Index(5) << 28;

/// Traces larger than this keep only the ends of each layer and compute the rest on demand.
inline constexpr Index kWholeTraceBytes = Index(256) << 20;

/// Traces larger than this compute stages over keys one head at a time, not a layer together.
inline constexpr Index kLayersTraceBytes = Index(1) << 30;

/// Size of the cache of these matrices, which always keeps the last two.
inline constexpr Index kMatricesBytes = Index(544) << 20;
/// The same for matrices that are read from a file instead of computed.
inline constexpr Index kReadMatricesBytes = Index(64) << 20;

/// Memory of a trace in bytes: with all stages (Detail::Everything); with the ends of each layer
/// and the details of one (Detail::Ends); and the same with kMatricesBytes, or two matrices if
/// larger, for stages over keys (Detail::Heads).
Index traceBytes(const Model &model, const Extent &extent);
Index endsBytes(const Model &model, const Extent &extent);
Index headsBytes(const Model &model, const Extent &extent);
/// Returns the bytes of the trace with the detail that forward() selects.
Index heldBytes(const Model &model, const Extent &extent);

/// Returns the maximum length of the text, or of the source if that is longer, for an input of this
/// extent; 0 if none fits.
Index maxTokens(const Model &model, const Extent &extent);
/// Returns the maximum input length for forward(); 0 if none fits. In an encoder-decoder, both
/// texts have this length.
Index maxTokens(const Model &model);

} // namespace headlight::core
