// The state of a forward pass: the data that is available for each step.
#pragma once

#include "core/transformer/run/operands.h"
#include "core/transformer/run/progress.h"
#include "core/transformer/run/weights_observer.h"

#include <atomic>
#include <limits>

namespace headlight::core {

/// The arguments of a forward pass. They must outlive it.
struct RunRequest {
    const Plan &plan;
    const Model &model;
    const Input &input;
    const TraceMasks &masks;
    /// An earlier trace, from which identical matrices are reused. May be null.
    const Trace *previous = nullptr;
    /// Tensors of steps that have already been computed, one per step, null if unknown. May be
    /// empty.
    std::vector<Tensor> known{};
    std::stop_token stop{};
    Progress *progress = nullptr;        ///< receives the progress; may be null
    WeightsObserver *observer = nullptr; ///< receives the attention weights; may be null
};

/// The index of a matrix of a step, ordered by sequence, then head.
using MatrixKey = std::size_t;
inline constexpr MatrixKey kNoMatrix = std::numeric_limits<MatrixKey>::max();

/// The number of leading rows of a matrix that are the same as in the earlier trace. For matrices
/// over keys, also the number of leading columns, which can be all columns of the earlier matrix.
struct SameRows {
    Index rows = 0;
    Index columns = 0;
};

/// The state of one step during a pass. Reuse::compare() sets `before`, `numbersBefore`, `lent`,
/// `alike`, `same` and `sameRows`, after all inputs of the step have been compared or computed.
/// Then ForwardRunner fills `values` and `madeFrom`, moves the results of kept steps to `numbers`,
/// and frees the buffers of other steps after `lastReader`. For known steps, `numbers` is set from
/// the start.
struct StepState {
    std::optional<StepId> before;   ///< step with the same name in the previous plan
    Tensor numbersBefore;           ///< tensor of `before`, if available
    Tensor lent;                    ///< `numbersBefore`, if it has this step's shape
    bool alike = false;             ///< true: same operation and shape as `before`
    std::vector<char> same;         ///< for each matrix: same inputs as in `before`
    std::vector<SameRows> sameRows; ///< for each matrix: equal leading rows, if `same` is false
    Tensor numbers;                 ///< the complete tensor, or null
    Numbers values; ///< partial buffer (see `madeFrom`); freed after the last reader
    /// For each matrix: the first row in `values`, which also has all later rows. The number of
    /// rows if `values` has none.
    std::vector<Index> madeFrom;
    StepId lastReader = 0;
    std::size_t readers = 0;

    /// True if the matrix can be taken from the previous trace.
    bool isLent(MatrixKey place) const { return same[place] && !lent.isNull(); }
};

/// Returns the step whose tensor this step renames or copies; otherwise the step itself.
StepId behindCopies(const Plan &plan, StepId asked);

struct RunState {
    explicit RunState(const RunRequest &from);

    RunRequest request;
    std::vector<StepState> steps;
    std::vector<char> isKept; ///< for each origin step
    /// For each step: true if it is temporary and omits keys that no query sees, because no step
    /// reads these.
    std::vector<char> isNarrow{};
    /// For each step that computes attention weights: their module. Empty without an observer.
    std::vector<std::optional<AttentionId>> observed{};
    PositionTables tables{};
    /// The first step whose output contains NaN or infinity (float overflow).
    std::atomic<StepId> firstUnsound = std::numeric_limits<StepId>::max();

    const Plan &plan() const { return request.plan; }
    MatrixKey placeOf(StepId id, Index sequence, Index head) const {
        return static_cast<MatrixKey>(sequence * plan()[id].heads() + head);
    }
    StepId sourceOf(StepId asked) const { return behindCopies(plan(), asked); }
    /// Returns the matrix if all rows starting with `from` are available; otherwise an empty view.
    MatrixView held(StepId id, MatrixKey place, Index from = 0) const;
    /// True for temporary steps over keys or words. Their matrices can be much larger than those of
    /// a layer, so only some rows are in memory at a time.
    bool isPassing(StepId id) const {
        const StageInfo &info = infoOf(plan()[id].at.stage);
        return !isKept[id] && (info.overKeys() || info.overWords());
    }
    /// Sets isNarrow. Requires isKept, and the readers of each step.
    void findNarrow();
    void noteUnsound(StepId id);
};

/// Returns the sequence of `step` that another step reads for its own sequence `sequence`.
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

/// Calls `work` for each sequence and head.
template <typename Work>
void forEachMatrix(const Step &step, Work work) {
    for (Index b = 0; b < step.sequences(); ++b)
        for (Index h = 0; h < step.heads(); ++h)
            work(b, h);
}

} // namespace headlight::core
