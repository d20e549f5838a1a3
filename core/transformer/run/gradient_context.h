// What the gradient of one step is worked out with: what flowed back to it, the numbers that it
// read and made, and where what flows on from it is added up (the chain rule).
#pragma once

#include "core/transformer/run/adjoint.h"
#include "core/transformer/run/parameter_gradients.h"
#include "core/transformer/run/position_tables.h"
#include "core/transformer/run/step_parameter.h"
#include "core/transformer/trace/trace.h"

#include <functional>

namespace headlight::core {

struct GradientContext {
    const Trace &trace;
    const Step &step;
    StepId id;
    Adjoint &made; ///< dL/d(what the step makes), seeds in; not null; may be used as room
    std::vector<Adjoint> &adjoints;                 ///< of all steps so far
    const std::function<Tensor(StepId)> &numbersOf; ///< that the forward pass made
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
    /// Adds to what flows back to a step that was read.
    void give(std::size_t which, Adjoint adjoint) const {
        adjoints[plan().origin(step.reads[which])].add(std::move(adjoint));
    }
    /// Of all heads; none where the step has no such parameter.
    StepParameter parameter(std::size_t which) const {
        return which < step.parameters.size()
                   ? StepParameter(trace.model().parameters, {step.parameters[which].id})
                   : StepParameter();
    }
    MutableMatrixView gradient(std::size_t which) const {
        return gradients.of({step.parameters[which].id});
    }
    /// None where the step has no such parameter.
    std::span<float> rowGradient(std::size_t which) const {
        return which < step.parameters.size() ? gradients.rowOf(step.parameters[which])
                                              : std::span<float>();
    }
    const Batch &batch() const { return trace.input().of(step.at.attention.stack); }
    /// Calls `work` with sequence, head and the matrix of `made`, until it is stopped.
    template <typename Work>
    void forEachMatrix(Work work) const {
        for (Index b = 0; b < step.sequences(); ++b)
            for (Index h = 0; h < step.heads() && !stopped(); ++h)
                work(b, h, made.matrix(b, h));
    }
};

/// Back through a change that a person made to matrices of the step, in `made`.
void differentiateChange(const Change &change, const GradientContext &chain);

/// Back through the step's operation: gives to what it read and to its parameters.
void differentiate(const Operation &operation, const GradientContext &chain);

} // namespace headlight::core
