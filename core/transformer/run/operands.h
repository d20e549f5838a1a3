// The operands for some rows of a step's matrix: input matrices, slices of parameters, and the
// sequence.
#pragma once

#include "core/transformer/plan/plan.h"
#include "core/transformer/run/position_tables.h"
#include "core/transformer/run/step_parameter.h"
#include "core/transformer/trace/trace.h"

#include <span>
#include <stop_token>

namespace headlight::core {

/// Provides the matrices of steps, computing them if necessary.
class Matrices {
  public:
    virtual ~Matrices() = default;
    /// Returns some rows of a matrix. The view is valid until the next call for the same step.
    virtual MatrixView rows(StepId step, Index sequence, Index head, Rows rows) = 0;
};

/// Returns the head of an input with `groups` heads that head `head` of `heads` reads: the same
/// head, its group's head (Ainslie et al. 2023), or the only head.
constexpr Index headRead(Index head, Index heads, Index groups) {
    return head * groups / heads;
}

/// Everything that an operation needs to compute some rows. Created by ForwardScratch::operandsOf()
/// for a single call of apply() or applyToAll(). Views from read() are valid until the next read of
/// the same step.
struct Operands {
    const Plan &plan;
    const Step &step;
    const Model &model;
    const Input &input;
    const TraceMasks &masks;
    Matrices &matrices;
    PositionTables &tables;
    const std::stop_token &stop;
    Index sequence = 0;
    Index head = 0;
    Rows rows{}; ///< rows to compute of the step's matrix

    bool stopped() const { return stop.stop_requested(); }
    /// Returns the rows of an input that `rows` depend on.
    MatrixView read(std::size_t which) const { return read(which, sequence); }
    MatrixView read(std::size_t which, Index ofSequence) const {
        const Index groups = plan[step.reads[which]].heads();
        return readHead(which, ofSequence, headRead(head, step.heads(), groups));
    }
    MatrixView readHead(std::size_t which, Index ofSequence, Index ofHead) const {
        const StepId read = step.reads[which];
        const bool own = rowReachOf(step.operation, which) == RowReach::Own;
        return matrices.rows(read, ofSequence, ofHead,
                             own ? rows : Rows{0, plan[read].shape.last(1)});
    }
    /// Returns the head's slice of a parameter; empty if the step does not have it.
    StepParameter parameter(std::size_t which) const {
        return which < step.parameters.size()
                   ? StepParameter(model.parameters, step.parameters[which], step.heads(), head)
                   : StepParameter();
    }
    /// Returns the batch whose tokens are the rows of the step.
    const Batch &batch() const { return input.of(step.at.attention.stack); }
    const Mask &mask() const {
        return (*masks.of(step.at.attention))[static_cast<std::size_t>(sequence)];
    }
};

/// Computes the operation for the rows, the sequence and the head of `operands`.
void apply(const Operation &operation, const Operands &operands, MutableMatrixView out);

/// Computes an operation that reads all sequences at the same time. `out`: one matrix per sequence.
void applyToAll(const Operation &operation, const Operands &operands,
                std::span<const MutableMatrixView> out);

} // namespace headlight::core
