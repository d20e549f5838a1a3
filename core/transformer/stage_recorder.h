// Computes the stages of a trace matrix by matrix, and takes over each matrix that the trace before
// already has.
#pragma once

#include "core/transformer/trace.h"

#include <functional>
#include <set>
#include <stop_token>

namespace headlight::core {

/// A stage, and which of its matrices hold the same numbers as in the trace before: one a sequence
/// and head for a stage [B, H, …], one a sequence for a stage [B, …].
struct Computed {
    Tensor tensor;
    std::vector<bool> same;

    MatrixView matrix(Index sequence, Index head = 0) const {
        return tensor.matrix(sequence, head);
    }
    bool isSame(Index sequence, Index head = 0) const {
        const Index heads = tensor.shape().rank() == 4 ? tensor.shape()[1] : 1;
        return same[static_cast<std::size_t>(sequence * heads + head)];
    }
    /// The same in every head.
    bool isSameInAllHeads(Index sequence) const;
};

class StageRecorder {
  public:
    /// Whether the matrix of (sequence, head) is made from the same numbers as in the trace before.
    using SameSources = std::function<bool(Index sequence, Index head)>;
    using Fill = std::function<void(Index sequence, Index head, MutableMatrixView out)>;

    /// `previous` may be null, and must live as long as the recorder.
    StageRecorder(const Trace *previous, std::stop_token stop)
        : m_previous(previous), m_stop(std::move(stop)) {}

    /// Fills the matrices whose sources are not the same, and copies the others. A matrix that
    /// comes out as it was counts as the same, so that nothing after it is computed again.
    Computed stage(Stage which, Site site, const Shape &shape, const SameSources &same,
                   const Fill &fill, bool mayHide = false);
    /// What each head adds to the output of the layer, [B, H, T, C]: kept beside that stage, which
    /// comes next, and not a stage itself.
    Computed headOutputs(Site site, const Shape &shape, const SameSources &same, const Fill &fill);
    /// The same numbers under one more name.
    Computed alias(const std::string &name, const Computed &computed);

    const Trace *previous() const { return m_previous; }
    bool cancelled() const { return m_stop.stop_requested(); }
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
    const TraceEntry *before(const std::string &name) const {
        return m_previous ? m_previous->find(name) : nullptr;
    }

    const Trace *m_previous;
    std::stop_token m_stop;
    std::vector<TraceEntry> m_entries;
    std::vector<std::string> m_recomputed;
    std::set<std::pair<Site, Index>> m_heads; // and which of it
    std::string m_overflowed;
    Tensor m_headOutputs; // for the stage that comes next
};

} // namespace headlight::core
