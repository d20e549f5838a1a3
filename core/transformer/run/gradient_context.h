// The context for differentiating one step: the gradient of its output, its inputs and output, and
// the buffers in which gradients accumulate.
#pragma once

#include "core/transformer/run/adjoint.h"
#include "core/transformer/run/position_tables.h"
#include "core/transformer/run/step_parameter.h"
#include "core/transformer/trace/trace.h"

#include <functional>

namespace headlight::core {

struct GradientContext {
    const Trace &trace;
    const Step &step;
    StepId id;
    Adjoint &made;                  ///< dL/d(output) including seeds; not null; may be overwritten
    std::vector<Adjoint> &adjoints; ///< accumulated gradients of all steps
    const std::function<Tensor(StepId)> &numbersOf; ///< values of the forward pass
    ParameterGradients &gradients;
    PositionTables &tables;
    const std::stop_token &stop;

    bool stopped() const { return stop.stop_requested(); }
    const Plan &plan() const { return trace.plan(); }
    Tensor numbers() const { return numbersOf(id); }
    Tensor read(std::size_t which) const { return numbersOf(step.reads[which]); }
    const Step &readStep(std::size_t which) const { return plan()[step.reads[which]]; }
    Adjoint zerosOfRead(std::size_t which) const {
        return Adjoint::zeros(readStep(which).shape, stop);
    }
    /// Adds to the gradient of an input.
    void give(std::size_t which, Adjoint adjoint) const {
        adjoints[plan().origin(step.reads[which])].add(std::move(adjoint));
    }
    /// Returns the parameter for all heads; empty if the step does not have it.
    StepParameter parameter(std::size_t which) const {
        return which < step.parameters.size()
                   ? StepParameter(trace.model().parameters, {step.parameters[which].id})
                   : StepParameter();
    }
    MutableMatrixView gradient(std::size_t which) const {
        return gradients.of({step.parameters[which].id});
    }
    /// Returns the gradient of a parameter with one row; empty if the step does not have it.
    std::span<float> rowGradient(std::size_t which) const {
        return which < step.parameters.size() ? gradients.rowOf(step.parameters[which])
                                              : std::span<float>();
    }
    const Batch &batch() const { return trace.input().of(step.at.attention.stack); }
    /// Calls `work` with the sequence, head and matrix, for each matrix of `made`, until stopped.
    template <typename Work>
    void forEachMatrix(Work work) const {
        for (Index b = 0; b < step.sequences(); ++b)
            for (Index h = 0; h < step.heads() && !stopped(); ++h)
                work(b, h, made.matrix(b, h));
    }
};

/// Differentiates a change to matrices of the step, and updates `made`.
void differentiateChange(const Change &change, const GradientContext &chain);

/// Differentiates the operation of the step, and adds the gradients of its inputs and parameters.
void differentiate(const Operation &operation, const GradientContext &chain);

} // namespace headlight::core
