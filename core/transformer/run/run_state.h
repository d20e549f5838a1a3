// How far a run of a plan has come: what there is of each step.
#pragma once

#include "core/transformer/run/operands.h"
#include "core/transformer/run/progress.h"

#include <atomic>
#include <limits>

namespace headlight::core {

/// What a run starts from. All must live as long as the run.
struct RunRequest {
    const Plan &plan;
    const Model &model;
    const Input &input;
    const TraceMasks &masks;
    /// Lends the matrices that would come out the same; may be null.
    const Trace *previous = nullptr;
    /// Of this plan: its steps' numbers need not be made again, one a step, null where they are not
    /// there; or empty.
    std::vector<Tensor> known{};
    std::stop_token stop{};
    Progress *progress = nullptr; ///< is told how far it has come; may be null
};

/// Which of a step's matrices, by sequence and then head.
using MatrixKey = std::size_t;
inline constexpr MatrixKey kNoMatrix = std::numeric_limits<MatrixKey>::max();

/// The first rows of a matrix that come out as in the earlier trace; of a matrix over keys in its
/// first columns, which may be all that there were.
struct SameRows {
    Index rows = 0;
    Index columns = 0;
};

struct StepState {
    std::optional<StepId> before;   ///< the step of that name in the previous plan
    Tensor numbersBefore;           ///< its numbers, where they were kept
    Tensor lent;                    ///< the same, where they have this step's shape
    bool alike = false;             ///< operation and shapes are equal
    std::vector<char> same;         ///< a matrix: made from the same as there
    std::vector<SameRows> sameRows; ///< the same of rows, where not all is the same
    Tensor numbers;                 ///< all of them
    Numbers values;                 ///< or those that `madeFrom` says, until nobody needs them
    /// A matrix: the first row from which on all are made; as many as there are: none.
    std::vector<Index> madeFrom;
    StepId lastReader = 0;
    std::size_t readers = 0;

    /// Nothing need be made: it would come out as in the previous trace.
    bool isLent(MatrixKey place) const { return same[place] && !lent.isNull(); }
};

/// What the step renames or copies; or itself.
StepId behindCopies(const Plan &plan, StepId asked);

struct RunState {
    explicit RunState(const RunRequest &from) : request(from), steps(from.plan.size()) {
        isKept.resize(from.plan.size());
    }

    RunRequest request;
    std::vector<StepState> steps;
    std::vector<char> isKept; ///< of origins
    /// Passing steps of which the keys that no query sees are left out: nobody reads them.
    std::vector<char> isNarrow{};
    PositionTables tables{};
    /// The first step that holds what no number is: too large for 32 bits, or made from such.
    std::atomic<StepId> firstUnsound = std::numeric_limits<StepId>::max();

    const Plan &plan() const { return request.plan; }
    MatrixKey placeOf(StepId id, Index sequence, Index head) const {
        return static_cast<MatrixKey>(sequence * plan()[id].heads() + head);
    }
    StepId sourceOf(StepId asked) const { return behindCopies(plan(), asked); }
    /// The matrix where it is made from that row on; else nothing.
    MatrixView held(StepId id, MatrixKey place, Index from = 0) const;
    /// Its matrices are as large as sequences are long, squared, and nobody keeps them: never more
    /// than some rows of one are held.
    bool isPassing(StepId id) const {
        return !isKept[id] && infoOf(plan()[id].at.stage).overKeys();
    }
    /// Finds those that are narrow, once it is known what is kept and who reads what.
    void findNarrow();
    void noteUnsound(StepId id);
};

/// The sequence of `step` that sequence `sequence` of what reads it reads.
inline Index sequenceRead(const Step &step, Index sequence) {
    return step.shape[0] == 1 || step.sequences() == 1 ? 0 : sequence;
}

inline std::size_t matricesOf(const Step &step) {
    return static_cast<std::size_t>(step.sequences() * step.heads());
}

inline std::size_t sizeOfMatrix(const Step &step) {
    return static_cast<std::size_t>(step.shape.last(0) * step.shape.last(1));
}

inline bool isCopy(const Step &step) {
    return step.isOwn() && std::holds_alternative<op::Clone>(step.operation);
}

/// Calls `work` with sequence and head.
template <typename Work>
void forEachMatrix(const Step &step, Work work) {
    for (Index b = 0; b < step.sequences(); ++b)
        for (Index h = 0; h < step.heads(); ++h)
            work(b, h);
}

} // namespace headlight::core
