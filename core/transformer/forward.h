// The forward pass: from tokens to the trace of every stage.
#pragma once

#include "core/transformer/trace.h"

#include <stop_token>

namespace headlight::core {

/// The most memory that one trace may take; a longer input is refused with the length that would
/// fit.
inline constexpr Index kTraceBudgetBytes = Index(1) << 30;

/// The bytes that the stages of a trace take, all together.
Index traceBytes(const Config &config, bool outputProjection, Index batch, Index length,
                 Index layers = 1);

/// Whether forward() would take these: the config and every matrix fit, and the trace stays within
/// kTraceBudgetBytes. Cheap.
Outcome fits(const Model &model, const Input &input);

/// Multi-head scaled dot-product self-attention (Vaswani et al. 2017, section 3.2) on every
/// sequence of the batch: head h = softmax(Q_h·K_hᵀ · scale + M)·V_h, then Concat(heads)·W_O where
/// there is a W_O. The config's masking and softmax, and the input's interventions, change single
/// steps of it.
///
/// What is made from the same numbers as in `previous` (may be null) is taken over from it, head by
/// head, so that an edit costs only the heads that it touches and what lies after them. The result
/// is the same to the last bit. `previous` must stay alive during the call. Errors: those of
/// fits(); numbers that grow beyond what 32 bits hold, with the stage in which they did;
/// "cancelled" once `stop` is requested.
Result<TracePointer> forward(const Model &model, const Input &input,
                             const TracePointer &previous = nullptr, std::stop_token stop = {});

} // namespace headlight::core
