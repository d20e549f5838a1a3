// The memory that a trace needs, without computing anything.
#pragma once

#include "core/transformer/plan/plan.h"

namespace headlight::core {

/// Maximum memory of a trace. Longer inputs are rejected, with the maximum length in the error.
inline constexpr Index kTraceBudgetBytes = Index(5) << 28;

/// Larger traces retain only the input, output, keys and values of each layer, and compute the rest
/// on demand.
inline constexpr Index kWholeTraceBytes = Index(256) << 20;

/// Larger traces compute stages over keys one head at a time instead of one layer at a time.
inline constexpr Index kLayersTraceBytes = Index(1) << 30;

/// Size of the cache for the matrices of single heads. The cache always keeps the last two.
inline constexpr Index kMatricesBytes = Index(544) << 20;
/// Size of the cache for matrices that are read from a file instead.
inline constexpr Index kReadMatricesBytes = Index(64) << 20;
/// Size of the cache for single rows of stages over words, and maximum size of a block of such
/// rows.
inline constexpr Index kRowsBytes = Index(32) << 20;

/// Return the memory of a trace in bytes. traceBytes(): with all stages (Detail::Everything).
/// endsBytes(): with the ends of each layer and the details of one layer (Detail::Ends).
/// headsBytes(): like endsBytes(), but stages over keys take kMatricesBytes, or the size of two
/// matrices if that is larger (Detail::Heads). rowsBytes(): like headsBytes(), but stages over
/// words take kRowsBytes (Detail::Rows).
Index traceBytes(const Model &model, const Extent &extent);
Index endsBytes(const Model &model, const Extent &extent);
Index headsBytes(const Model &model, const Extent &extent);
Index rowsBytes(const Model &model, const Extent &extent);
/// Returns the memory in bytes of the stages of the largest layer that a trace of a long input
/// computes on demand. `byHead`: counts only two matrices of each stage over keys.
Index detailBytes(const Plan &plan, bool byHead);
/// Returns the memory of the trace in bytes, with the detail that forward() selects.
Index heldBytes(const Model &model, const Extent &extent);

/// Returns the maximum length of the text, or of the source if that is longer, for inputs of this
/// extent; 0 if none fits.
Index maxTokens(const Model &model, const Extent &extent);
/// Returns the maximum input length for forward(); 0 if no input fits. In an encoder-decoder, both
/// texts have this length.
Index maxTokens(const Model &model);

} // namespace headlight::core
