// The forward pass: from tokens to the trace of every stage.
#pragma once

#include "core/transformer/plan/fits.h"
#include "core/transformer/plan/model_stages.h"
#include "core/transformer/run/progress.h"
#include "core/transformer/trace/trace.h"

#include <functional>
#include <optional>
#include <stop_token>

namespace headlight::core {

/// Which stages a pass keeps.
struct RetainedStages {
    // NOLINTNEXTLINE: which of the three is what most callers say
    RetainedStages(Detail all = Detail::Automatic) : detail(all) {}
    /// Just those. Scores and weights that are not among them are never held for more than one
    /// head.
    explicit RetainedStages(std::vector<StageId> those) : stages(std::move(those)) {}

    Detail detail = Detail::Automatic;
    std::optional<std::vector<StageId>> stages{};
};

/// A transformer (Vaswani et al. 2017) on every sequence of the batch: its encoder on the second
/// sequences, where it has one, then its layers, then what is made of their output. Each attention
/// is head h = softmax(Q_h·K_hᵀ · scale + position bias + M)·V_h, then Concat(heads)·W_O where
/// there is a W_O. The config's masking and softmax, and the input's interventions, change single
/// steps of it.
///
/// What is made from the same numbers as in `previous` (may be null) is taken over from it, head by
/// head, so that an edit costs only the heads that it touches and what lies after them. The result
/// is the same to the last bit. A capture lends nothing. Errors: those of
/// fits(); numbers that grow beyond what 32 bits hold, with the stage in which they did; a
/// parameter whose file cannot be read, with both names; a file of numbers that is not as it was
/// opened (formats/files/file_stamp.h), also where nothing is read of it; "cancelled" once `stop`
/// is requested,
/// which is looked at every few milliseconds. Other threads may read in `progress` how far it is.
Result<TracePointer> forward(const Model &model, const Input &input,
                             const TracePointer &previous = nullptr, std::stop_token stop = {},
                             const RetainedStages &keep = {}, Progress *progress = nullptr);

/// Makes steps of a trace's plan anew, those for which `isWanted` says so, from the numbers that
/// are known: one tensor a step, null where it is not. So is the result. What would come out as in
/// `earlier` is taken over from it, where it is not null. Errors: as forward().
Result<std::vector<Tensor>> makeSteps(const Trace &trace, std::vector<Tensor> known,
                                      const std::function<bool(StepId)> &isWanted,
                                      std::stop_token stop, const Trace *earlier = nullptr);
/// Rows of one matrix of a step, [rows.count, columns], from the same.
Result<SharedMatrix> makeRows(const Trace &trace, std::vector<Tensor> known, StepId step,
                              Index sequence, Index head, Rows rows, std::stop_token stop);
/// The steps of one layer, from what the layer reads; not those made one head at a time.
Result<std::vector<Tensor>> layerDetails(const Trace &trace, Stack stack, Index layer,
                                         std::stop_token stop = {}, const Trace *earlier = nullptr);
/// The same of the output layer.
Result<std::vector<Tensor>> outputLayerDetails(const Trace &trace, std::stop_token stop = {});

/// Computes for every trace of this process the stages that it does not hold.
const StageComputer &stageComputer();

} // namespace headlight::core
