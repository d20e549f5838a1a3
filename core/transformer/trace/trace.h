// The recorded result of a forward pass, with all named stages. Used by the UI, figures, files and
// tests.
#pragma once

#include "core/operations/mask.h"
#include "core/tensor/tensor.h"
#include "core/transformer/plan/plan.h"
#include "core/transformer/trace/matrix_cache.h"
#include "core/transformer/trace/stage_computer.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Statistics of a forward pass. They include only parts that were computed, not parts reused from
/// an earlier trace.
struct Work {
    std::vector<std::string> stages; ///< stages that were computed for at least some heads
    Index heads = 0;         ///< number of heads that were at least partly computed, in all layers
    double milliseconds = 0; ///< duration of the pass
    Index numbers = 0; ///< number of computed values, except stages over keys that are not retained
};

/// The resolved masks of each attention module, one per sequence; null if the module does not
/// exist.
struct TraceMasks {
    using List = std::shared_ptr<const std::vector<Mask>>;
    List self{}; ///< for the main stack or decoder
    List encoder{};
    List cross{};
    /// The masks of layers that have their own window. They replace `self`.
    std::map<Index, List> windowed{};

    const List &of(AttentionId attention) const {
        if (attention.block == Block::CrossAttention)
            return cross;
        if (attention.stack == Stack::Encoder)
            return encoder;
        const auto own = windowed.find(attention.layer);
        return own == windowed.end() ? self : own->second;
    }
};

/// The stages that a trace contains from the start. It computes all others on demand.
enum class Detail {
    Automatic,  ///< the first of the following that fits in memory (see trace_bytes.h)
    Everything, ///< all stages
    Ends,  ///< input, output, keys and values of each layer, and everything before and after the
           ///< layers; other stages are computed a layer at a time
    Heads, ///< like Ends, but stages over keys are computed one head at a time
    Rows,  ///< like Heads, but stages over words are computed one row at a time
};

/// The trace of a forward pass. Logically immutable and thread-safe.
///
/// The trace of a long input is partial. It contains the input and output of each layer, and
/// computes the other stages of one layer, or of the output layer, on demand. It keeps these until
/// another layer is requested. Apart from the details of one layer, memory is therefore
/// proportional to the input length times the model width.
///
/// For very long inputs, stages over keys, [B, H, T, S], are never computed completely. matrix()
/// computes the matrix of one head and caches as many matrices as kMatricesBytes allows. rows()
/// computes only some rows.
///
/// If the logits of all tokens would be too large, stages over words, [B, T, V], are never computed
/// completely either. matrix() is then empty, but rows() computes some rows and caches single ones.
class Trace {
  public:
    /// `numbers`: one tensor per step of the plan, null if it is not retained. `computer` must
    /// outlive the trace. `held` must not be Automatic. `source` reads missing stages of a capture.
    Trace(Model model, Input input, TraceMasks masks, PlanPointer plan, std::vector<Tensor> numbers,
          Work work, const StageComputer &computer, Detail held = Detail::Everything,
          std::shared_ptr<const StageSource> source = {});

    const Model &model() const { return m_model; }
    const Input &input() const { return m_input; }
    const Batch &batch() const { return *m_input.batch; }
    /// Returns the plan of the forward pass.
    const Plan &plan() const { return *m_plan; }
    /// Returns the plan for callers that may outlive the trace.
    const PlanPointer &sharedPlan() const { return m_plan; }
    /// Returns the retained values of a step; null if they are computed on demand.
    const Tensor &numbers(StepId step) const { return m_numbers[step]; }
    /// Returns the values of a step that are retained or were computed last; null if there are
    /// none. Computes nothing.
    Tensor held(StepId step) const;
    /// Return the batches whose tokens are the rows and the columns of an attention module.
    const Batch &queries(AttentionId attention) const { return m_input.queries(attention); }
    const Batch &keys(AttentionId attention) const { return m_input.keys(attention); }

    /// Returns a stage by its full name (stageName()). Null if the model has no such stage, if
    /// computing it fails, or if it is computed one head or row at a time. In a partial trace, this
    /// can take as long as computing a layer. To compute it on another thread, use prepared().
    Tensor stage(std::string_view name) const;
    Tensor stage(Stage stage, AttentionId attention = {}) const {
        return this->stage(stageName(stage, attention));
    }
    /// Like stage(), but for a step of the plan, which may be unnamed.
    Tensor made(StepId step) const;
    /// Returns the matrix of one sequence and query head; for keys and values, the matrix of the
    /// head's group. Stages with one row per sequence are returned completely. Empty if the model
    /// has no such stage or computing it fails.
    SharedMatrix matrix(Stage stage, AttentionId attention, Index sequence, Index head) const;
    SharedMatrix matrix(StepId step, Index sequence, Index head) const;
    /// Like matrix(), but returns the error on failure. Errors: those of forward().
    Result<SharedMatrix> madeMatrix(StepId step, Index sequence, Index head,
                                    std::stop_token stop = {}) const;
    /// Returns some rows of a matrix. If the matrix is not available, computes only these rows.
    /// Empty on failure.
    SharedMatrix rows(StepId step, Index sequence, Index head, Rows rows) const;
    /// Like rows(), but returns the error on failure. Errors: those of forward().
    Result<SharedMatrix> madeRows(StepId step, Index sequence, Index head, Rows rows,
                                  std::stop_token stop = {}) const;
    /// Calls `take` with the complete matrix, or with one block of rows after another if the step
    /// is computed one row at a time. `first`: the index of the block's first row. Stops at the
    /// first error of `take` and returns it. Other errors: those of madeMatrix().
    Outcome inBlocks(StepId step, Index sequence, Index head,
                     const std::function<Outcome(Index first, MatrixView rows)> &take,
                     std::stop_token stop = {}) const;
    /// Returns the index of the step's matrix that a query head uses; for keys and values, the
    /// index of its group.
    Index headOf(StepId step, Index queryHead) const;
    /// True if the step is computed one head at a time. Then stage() cannot return it.
    bool isByHead(StepId step) const;
    bool isByHead(Stage stage, AttentionId attention = {}) const;
    /// True if the step is computed one row at a time. Then neither stage() nor matrix() can return
    /// it.
    bool isByRow(StepId step) const;
    bool isByRow(Stage stage) const;
    /// True if rows() returns this row of a stage over words immediately.
    bool isRowReady(Stage stage, Index sequence, Index row) const;
    bool has(std::string_view name) const;
    bool has(Stage stage, AttentionId attention = {}) const {
        return has(stageName(stage, attention));
    }
    /// Returns the source of missing stages; null if they are computed.
    const std::shared_ptr<const StageSource> &source() const { return m_source; }
    /// True if the trace contains all stages except stages that are always computed on demand.
    bool isWhole() const { return m_held == Detail::Everything; }
    /// True if matrix() returns immediately for this sequence and head, and stage() too unless
    /// isByHead(). Always true if isByRow(), because there is no matrix.
    bool isReady(Stage stage, AttentionId attention = {}, Index sequence = 0, Index head = 0) const;
    /// Returns a copy of this trace for which isReady() is true. The copy has all stages of the
    /// layer or of the output layer. The details of this trace do not change. Reuses stages of
    /// `earlier` that are ready and whose inputs have not changed. Errors: those of forward().
    Result<std::shared_ptr<const Trace>> prepared(Stage stage, AttentionId attention = {},
                                                  Index sequence = 0, Index head = 0,
                                                  std::stop_token stop = {},
                                                  const Trace *earlier = nullptr) const;
    /// Returns a copy of this trace without the stages computed on demand.
    std::shared_ptr<const Trace> withoutDetails() const;
    /// Returns the stage names in computation order.
    std::vector<std::string> names() const;

    /// Returns the mask of a sequence. It has the visible keys of each query, and the mask layer
    /// that hides each other key.
    const Mask &mask(Index sequence, AttentionId attention = {}) const {
        return (*m_masks.of(attention))[static_cast<std::size_t>(sequence)];
    }
    const TraceMasks::List &masks(AttentionId attention = {}) const {
        return m_masks.of(attention);
    }
    const TraceMasks &allMasks() const { return m_masks; }
    /// Returns the mask layers, which Mask::hiddenBy() indexes.
    MaskLayers maskLayers(AttentionId attention = {}) const {
        return maskLayersOf(m_model.config, m_input, attention);
    }

    const std::vector<std::string> &recomputed() const { return m_work.stages; }
    Index recomputedHeads() const { return m_work.heads; }
    Index recomputedNumbers() const { return m_work.numbers; }
    double milliseconds() const { return m_work.milliseconds; }

  private:
    /// The stages that were computed on demand for the last requested layer and for the output
    /// layer. One tensor per step of the plan, or empty.
    struct Details {
        std::optional<AttentionId> layer;
        std::vector<Tensor> ofLayer;
        std::vector<Tensor> ofHead;
        /// The last requested step that is computed separately, and its values.
        std::optional<StepId> single;
        Tensor ofSingle;
        MatrixCache matrices; ///< for stages that are computed one head at a time
        /// Single rows of stages over words. The cache stores the row index in place of the head.
        MatrixCache rows{kRowsBytes};
    };

    /// Must be called with m_making locked.
    Outcome make(StepId step, std::stop_token stop, const Trace *earlier = nullptr) const;
    Outcome makeSingle(StepId step, std::stop_token stop) const;
    Outcome makeMatrix(StepId step, Index sequence, Index head, std::stop_token stop,
                       const Trace *earlier = nullptr) const;
    Result<SharedMatrix> makeRowsOfWords(StepId step, Index sequence, Rows rows,
                                         std::stop_token stop) const;
    Tensor detail(StepId step) const;                                   ///< null if not computed
    SharedMatrix detail(StepId step, Index sequence, Index head) const; ///< empty if not computed
    std::vector<Tensor> known() const; ///< available values of each step
    Index sequenceOf(StepId step, Index sequence) const;

    Model m_model;
    Input m_input;
    TraceMasks m_masks;
    PlanPointer m_plan;
    std::vector<Tensor> m_numbers;
    Work m_work;
    const StageComputer &m_computer;
    Detail m_held;
    std::shared_ptr<const StageSource> m_source;
    mutable std::mutex m_making; // locked while details are computed; lock it before m_mutex
    mutable std::mutex m_mutex;  // guards m_details; never locked for long
    mutable Details m_details;
};

using TracePointer = std::shared_ptr<const Trace>;

/// Returns the number of stages, matrices and rows of words that Trace::stage(), matrix() and
/// rows() had to compute on this thread. For tests that check that the UI thread never computes
/// stages.
std::size_t stagesMadeOnThisThread();

} // namespace headlight::core
