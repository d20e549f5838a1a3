// The forward pass: computes the trace, with all stages, from tokens.
#pragma once

#include "core/transformer/plan/computable.h"
#include "core/transformer/plan/model_stages.h"
#include "core/transformer/run/progress.h"
#include "core/transformer/run/weights_observer.h"
#include "core/transformer/trace/trace.h"

#include <functional>
#include <optional>
#include <stop_token>

namespace headlight::core {

/// The stages that a forward pass keeps in its trace.
struct RetainedStages {
    // NOLINTNEXTLINE: implicit, because most callers pass a Detail
    RetainedStages(Detail all = Detail::Automatic) : detail(all) {}
    /// Keeps only these stages. Any other scores and attention weights are in memory for only one
    /// head at a time.
    explicit RetainedStages(std::vector<StageId> those) : stages(std::move(those)) {}

    Detail detail = Detail::Automatic;
    std::optional<std::vector<StageId>> stages{};
};

/// Runs a transformer (Vaswani et al. 2017) on all sequences of the batch: the encoder if there is
/// one, the layers, and the output layer. Attention is head h = softmax(Q_h·K_hᵀ · scale + position
/// bias + M)·V_h, then Concat(heads)·W_O if there is a W_O. The config and the interventions of the
/// input can change single steps.
///
/// Reuses results of `previous` (may be null) if their inputs have not changed, for each head
/// separately. After an edit, recomputes only the affected heads and all stages that depend on
/// them. The result is bit-identical to a full pass. Captures are never reused.
///
/// Errors: float overflow, with the stage; a parameter that cannot be read, with its name and the
/// reason; a parameter file that has changed since it was opened (formats/files/file_stamp.h), even
/// if it is not read; "cancelled" within a few milliseconds after `stop` was requested. Other
/// threads can read `progress`. `observer` (may be null) receives all computed attention weights,
/// even if the trace does not keep them.
Result<TracePointer> forward(const Computable &computable, const TracePointer &previous = nullptr,
                             std::stop_token stop = {}, const RetainedStages &keep = {},
                             Progress *progress = nullptr, WeightsObserver *observer = nullptr);

/// Recomputes the steps for which `isWanted` returns true. `known` and the result have one tensor
/// per step, null if unknown. Reuses results of `earlier` (may be null) whose inputs have not
/// changed. Errors: those of forward().
Result<std::vector<Tensor>> makeSteps(const Trace &trace, std::vector<Tensor> known,
                                      const std::function<bool(StepId)> &isWanted,
                                      std::stop_token stop, const Trace *earlier = nullptr);
/// Computes some rows of one matrix of a step, [rows.count, columns], using `known`.
Result<SharedMatrix> makeRows(const Trace &trace, std::vector<Tensor> known, StepId step,
                              Index sequence, Index head, Rows rows, std::stop_token stop);
/// Computes the steps of one layer from the layer's input, except steps that are computed one head
/// at a time.
Result<std::vector<Tensor>> layerDetails(const Trace &trace, Stack stack, Index layer,
                                         std::stop_token stop = {}, const Trace *earlier = nullptr);
/// Computes the steps of the output layer, except steps that are computed one row at a time.
Result<std::vector<Tensor>> outputLayerDetails(const Trace &trace, std::stop_token stop = {});

} // namespace headlight::core
