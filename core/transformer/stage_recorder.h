// Computes the stages of a trace matrix by matrix, and takes over each matrix that the trace before
// already has.
#pragma once

#include "core/cancelled.h"
#include "core/transformer/trace.h"

#include <functional>
#include <optional>
#include <set>
#include <stop_token>

namespace headlight::core {

using Fill = std::function<void(Index sequence, Index head, MutableMatrixView out)>;

/// A stage whose matrices are made when they are asked for, one at a time: what a long input has no
/// memory for.
class VirtualStage {
  public:
    VirtualStage(Shape shape, Fill fill) : m_shape(std::move(shape)), m_fill(std::move(fill)) {}
    Shape shape() const { return m_shape; }
    /// Good until the next call with another place.
    MatrixView matrix(Index sequence, Index head);

  private:
    Shape m_shape;
    Fill m_fill;
    std::vector<float> m_numbers; // of one matrix
    std::pair<Index, Index> m_place{-1, -1};
};

/// A stage, and which of its matrices hold the same numbers as in the trace before: one a sequence
/// and head for a stage [B, H, …], one a sequence for a stage [B, …], one for a stage [B, K].
struct Computed {
    Tensor tensor; ///< null where it is virtual
    std::vector<bool> same;
    std::shared_ptr<VirtualStage> onDemand{};

    Shape shape() const { return onDemand ? onDemand->shape() : tensor.shape(); }
    /// A batch of size 1 stands for every sequence.
    MatrixView matrix(Index sequence, Index head = 0) const & {
        return onDemand ? onDemand->matrix(sequence, head) : tensor.view(sequence, head);
    }
    void matrix(Index, Index = 0) const && = delete;
    bool isSame(Index sequence, Index head = 0) const;
    /// The same in every head.
    bool isSameInAllHeads(Index sequence) const;
    bool isSameInAllSequences() const;
    /// The same numbers, none of them taken for those before: for what was made from another stage
    /// in the trace before.
    Computed asNew() const;
};

class StageRecorder {
  public:
    /// Whether the matrix of (sequence, head) is made from the same numbers as in the trace before.
    using SameSources = std::function<bool(Index sequence, Index head)>;

    /// How much of the layers is kept.
    enum class Keep {
        Everything,
        Ends ///< what each layer reads and gives; scores and weights are virtual
    };

    /// `previous` may be null, and must live as long as the recorder.
    StageRecorder(const Trace *previous, std::stop_token stop, Keep keep = Keep::Everything)
        : m_previous(previous), m_stop(std::move(stop)), m_keep(keep) {}

    /// All of these throw Cancelled.
    ///
    /// Fills the matrices whose sources are not the same, and copies the others. A matrix that
    /// comes out as it was counts as the same, so that nothing after it is computed again.
    Computed stage(Stage which, Site site, const Shape &shape, const SameSources &same,
                   const Fill &fill, bool mayHide = false);
    /// What each head adds to the output of the layer, [B, H, T, C]: kept beside that stage, which
    /// comes next, and not a stage itself.
    Computed headOutputs(Site site, const Shape &shape, const SameSources &same, const Fill &fill);
    /// The same numbers under one more name.
    Computed alias(Stage which, Site site, const Computed &computed);
    /// What was computed under that name in the trace before, as it is.
    Computed takeOver(Stage which, Site site);

    /// What this recorder has already; none where it has not, or does not keep it.
    std::optional<Computed> recorded(Stage which, Site site) const;

    const Trace *previous() const { return m_previous; }
    const std::stop_token &stop() const { return m_stop; }
    bool cancelled() const { return m_stop.stop_requested(); }
    bool keepsEverything() const { return m_keep == Keep::Everything; }
    /// The first stage that holds what no number is: too large for 32 bits, or made from such.
    const std::string &overflowed() const { return m_overflowed; }

    std::vector<TraceEntry> takeEntries() { return std::move(m_entries); }
    Work takeWork();

  private:
    struct Place {
        Stage stage;
        Site site;
        bool mayHide; ///< −∞ is one of its numbers
    };

    Computed compute(const Place &place, const Tensor &before, const Shape &shape,
                     const SameSources &same, const Fill &fill);
    void fillMatrix(const Place &place, Index sequence, Index head, const Fill &fill,
                    MutableMatrixView out);
    void note(const std::string &name);
    /// Room for `count` numbers more, all 0: bit by bit, since a large block of memory is not had
    /// at once.
    void grow(std::vector<float> &values, std::size_t count) const;
    bool isSound(std::span<const float> numbers, bool mayHide) const;
    void throwIfCancelled() const { core::throwIfCancelled(m_stop); }
    const TraceEntry *before(const std::string &name) const {
        return m_previous ? m_previous->find(name) : nullptr;
    }
    bool keeps(Stage which) const;

    const Trace *m_previous;
    std::stop_token m_stop;
    Keep m_keep;
    std::vector<TraceEntry> m_entries;
    std::vector<std::string> m_recomputed;
    std::set<std::pair<Site, Index>> m_heads; // and which of it
    std::string m_overflowed;
    Tensor m_headOutputs; // for the stage that comes next
};

} // namespace headlight::core
