// What some rows of a matrix of a step are made from: the matrices that it reads, its slices of
// parameters, and what the input says of its sequence.
#pragma once

#include "core/transformer/plan/plan.h"
#include "core/transformer/run/position_tables.h"
#include "core/transformer/run/step_parameter.h"
#include "core/transformer/trace/trace.h"

#include <span>
#include <stop_token>

namespace headlight::core {

/// Where the matrices of the steps are, or are made.
class Matrices {
  public:
    virtual ~Matrices() = default;
    /// Good until the next question about the same step.
    virtual MatrixView rows(StepId step, Index sequence, Index head, Rows rows) = 0;
};

/// The head of a step with `groups` heads that head `head` of `heads` reads: its own, its group's
/// (Ainslie et al. 2023), or the only one.
constexpr Index headRead(Index head, Index heads, Index groups) {
    return head * groups / heads;
}

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
    Rows rows{}; ///< of the step's matrix that are made

    bool stopped() const { return stop.stop_requested(); }
    /// Of what the step reads there those rows that `rows` need.
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
    /// The head's share; none where the step has no such parameter.
    StepParameter parameter(std::size_t which) const {
        return which < step.parameters.size()
                   ? StepParameter(model.parameters, step.parameters[which], step.heads(), head)
                   : StepParameter();
    }
    /// The sequences whose tokens are the step's rows.
    const Batch &batch() const { return input.of(step.at.attention.stack); }
    const Mask &mask() const {
        return (*masks.of(step.at.attention))[static_cast<std::size_t>(sequence)];
    }
};

/// Makes the rows of the matrix of one sequence and head.
void apply(const Operation &operation, const Operands &operands, MutableMatrixView out);

/// Of an operation that reads all sequences at once: makes all its matrices, one a sequence.
void applyToAll(const Operation &operation, const Operands &operands,
                std::span<const MutableMatrixView> out);

} // namespace headlight::core
