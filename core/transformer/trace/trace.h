// What was computed at every named stage: the one record that the window, the figures, the files
// and the tests all read.
#pragma once

#include "core/operations/mask.h"
#include "core/tensor/tensor.h"
#include "core/transformer/plan/plan.h"
#include "core/transformer/trace/matrix_cache.h"
#include "core/transformer/trace/stage_computer.h"
#include "core/transformer/trace/stage_source.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// What was computed for a trace; the rest was taken over from the one before.
struct Work {
    std::vector<std::string> stages; ///< all of each, or some of its heads
    Index heads = 0;                 ///< how many, over all layers, had something computed anew
    double milliseconds = 0;         ///< how long it took
    Index numbers = 0; ///< how many were made, but for those that nobody keeps over keys
};

/// The masks of each attention, resolved, one a sequence; null where there is no such attention.
struct TraceMasks {
    using List = std::shared_ptr<const std::vector<Mask>>;
    List self{}; ///< of the only stack, or the decoder
    List encoder{};
    List cross{};
    /// Of layers for which the model has a window of its own, instead of `self`.
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

/// Which stages a trace holds from the start; the others are made when they are asked for.
enum class Detail {
    Automatic,  ///< the first of the others that takes no more than it may (see fits.h)
    Everything, ///< all of them
    Ends,  ///< what each layer reads and gives, its keys and values, and what stands before and
           ///< after the layers; the stages of a layer are made together
    Heads, ///< as Ends; stages over keys are made one head at a time
};

/// Immutable once made; safe to read from any thread.
///
/// The trace of a long input is not whole: it has what each layer reads and gives, and makes the
/// other stages of one layer, or of the output layer, when one of them is asked for. Until another
/// layer is asked for it keeps them. So its memory grows with the length of the input times the
/// width of the model, but for those of one layer.
///
/// Of a very long one the stages over keys, [B, H, T, S], are never whole either: matrix() makes
/// that of one head, and keeps as many as kMatricesBytes allows, rows() only some rows of it.
class Trace {
  public:
    /// `numbers`: one tensor a step of the plan, null where the step's numbers were not kept.
    /// `computer` must outlive the trace. `held` is any but Automatic. `source`: of a capture that
    /// does not hold all of itself.
    Trace(Model model, Input input, TraceMasks masks, PlanPointer plan, std::vector<Tensor> numbers,
          Work work, const StageComputer &computer, Detail held = Detail::Everything,
          std::shared_ptr<const StageSource> source = {});

    const Model &model() const { return m_model; }
    const Input &input() const { return m_input; }
    const Batch &batch() const { return *m_input.batch; }
    /// How all of it was made.
    const Plan &plan() const { return *m_plan; }
    /// What was kept of a step of the plan: null where it was not, and is made when asked for.
    const Tensor &numbers(StepId step) const { return m_numbers[step]; }
    /// The same, or those of the layer that was made last; null: not there. Makes nothing.
    Tensor held(StepId step) const;
    /// Whose tokens are the rows, and whose are the columns, of an attention.
    const Batch &queries(AttentionId attention) const { return m_input.queries(attention); }
    const Batch &keys(AttentionId attention) const { return m_input.keys(attention); }

    /// The stage's numbers under its full name (stageName()); null where the model has no such
    /// stage, where making it failed, and where it is made one head at a time. Of a trace that is
    /// not whole this may take as long as a layer does; prepared() makes it ready elsewhere.
    Tensor stage(std::string_view name) const;
    Tensor stage(Stage stage, AttentionId attention = {}) const {
        return this->stage(stageName(stage, attention));
    }
    /// The same for a step of the plan, which need not have a name.
    Tensor made(StepId step) const;
    /// The numbers of one sequence and query head: of keys and values those of the head's group.
    /// What has a row a sequence is whole. Empty where the model has no such stage, and where
    /// making it failed.
    SharedMatrix matrix(Stage stage, AttentionId attention, Index sequence, Index head) const;
    SharedMatrix matrix(StepId step, Index sequence, Index head) const;
    /// The same, and why it could not be made: the errors of forward().
    Result<SharedMatrix> madeMatrix(StepId step, Index sequence, Index head,
                                    std::stop_token stop = {}) const;
    /// Some rows of it: where they are not there yet, no more than these are made.
    SharedMatrix rows(StepId step, Index sequence, Index head, Rows rows) const;
    /// Which of the step's matrices a query head reads: of keys and values its group's.
    Index headOf(StepId step, Index queryHead) const;
    /// It is made one head at a time: nothing gives all of it.
    bool isByHead(StepId step) const;
    bool isByHead(Stage stage, AttentionId attention = {}) const;
    bool has(std::string_view name) const;
    bool has(Stage stage, AttentionId attention = {}) const {
        return has(stageName(stage, attention));
    }
    /// Where to read what is not there; null: it is computed.
    const std::shared_ptr<const StageSource> &source() const { return m_source; }
    /// All stages are there, but those that no pass makes.
    bool isWhole() const { return m_held == Detail::Everything; }
    /// matrix() of that sequence and head will answer at once, and stage() where it is not made one
    /// head at a time.
    bool isReady(Stage stage, AttentionId attention = {}, Index sequence = 0, Index head = 0) const;
    /// The same trace, for which that is so: with all stages of that layer, or of the output layer.
    /// This one keeps those that it has. What `earlier` has ready and would come out the same is
    /// taken over from it. Errors: as forward().
    Result<std::shared_ptr<const Trace>> prepared(Stage stage, AttentionId attention = {},
                                                  Index sequence = 0, Index head = 0,
                                                  std::stop_token stop = {},
                                                  const Trace *earlier = nullptr) const;
    /// The same trace, without what was made since.
    std::shared_ptr<const Trace> withoutDetails() const;
    /// In the order of the computation.
    std::vector<std::string> names() const;

    /// Which keys each query of the sequence may see, and which layer hid the others.
    const Mask &mask(Index sequence, AttentionId attention = {}) const {
        return (*m_masks.of(attention))[static_cast<std::size_t>(sequence)];
    }
    const TraceMasks::List &masks(AttentionId attention = {}) const {
        return m_masks.of(attention);
    }
    const TraceMasks &allMasks() const { return m_masks; }
    /// What Mask::hiddenBy() counts.
    MaskLayers maskLayers(AttentionId attention = {}) const {
        return maskLayersOf(m_model.config, m_input, attention);
    }

    const std::vector<std::string> &recomputed() const { return m_work.stages; }
    Index recomputedHeads() const { return m_work.heads; }
    Index recomputedNumbers() const { return m_work.numbers; }
    double milliseconds() const { return m_work.milliseconds; }

  private:
    /// The numbers of one layer's steps, and of the output layer's, that were asked for last; one a
    /// step of the plan, or none.
    struct Details {
        std::optional<AttentionId> layer;
        std::vector<Tensor> ofLayer;
        std::vector<Tensor> ofHead;
        /// Another step that was asked for last, by itself, and its numbers.
        std::optional<StepId> single;
        Tensor ofSingle;
        MatrixCache matrices; ///< of stages that are made one head at a time
    };

    /// Under m_making, which they hold for as long as it takes.
    Outcome make(StepId step, std::stop_token stop, const Trace *earlier = nullptr) const;
    Outcome makeSingle(StepId step, std::stop_token stop) const;
    Outcome makeMatrix(StepId step, Index sequence, Index head, std::stop_token stop,
                       const Trace *earlier = nullptr) const;
    Tensor detail(StepId step) const;                                   ///< null: not there
    SharedMatrix detail(StepId step, Index sequence, Index head) const; ///< empty: not there
    std::vector<Tensor> known() const; ///< what is there of each step
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
    mutable std::mutex m_making; // held while details are made; taken before m_mutex
    mutable std::mutex m_mutex;  // of m_details; never held for long
    mutable Details m_details;
};

using TracePointer = std::shared_ptr<const Trace>;

} // namespace headlight::core
