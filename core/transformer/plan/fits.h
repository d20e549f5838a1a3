// What a forward pass would take, known before anything is computed.
#pragma once

#include "core/result.h"
#include "core/transformer/plan/plan.h"

namespace headlight::core {

/// The most memory that one trace may take; a longer input is refused with the length that would
/// fit.
inline constexpr Index kTraceBudgetBytes = Index(5) << 28;

/// A trace over this keeps what each layer reads, and makes the rest of it when it is asked for.
inline constexpr Index kWholeTraceBytes = Index(256) << 20;

/// A trace over this makes stages over keys one head at a time, instead of a layer's together.
inline constexpr Index kLayersTraceBytes = Index(1) << 30;

/// So many of these matrices a trace keeps; at least the two that were asked for last.
inline constexpr Index kMatricesBytes = Index(544) << 20;

/// The bytes that the stages of a trace would take: all of them together; as a long input has them,
/// what each layer reads, its keys and values, and the details of one; and the same but for stages
/// over keys, of which there are kMatricesBytes, or two.
Index traceBytes(const Model &model, const Extent &extent);
Index endsBytes(const Model &model, const Extent &extent);
Index headsBytes(const Model &model, const Extent &extent);
/// Of the way in which forward() holds it.
Index heldBytes(const Model &model, const Extent &extent);

/// The longest text that forward() would take of a model of this config; an encoder-decoder reads
/// two of that length. 0: none.
Index mostTokens(const Model &model);

/// Whether forward() would take these: config, every matrix and every token fit, there is a second
/// sequence where one is needed, and the trace stays within kTraceBudgetBytes. Cheap.
Outcome fits(const Model &model, const Input &input);

} // namespace headlight::core
