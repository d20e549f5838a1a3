// Overview of the heads of an attention module: a small picture of each head's weights, and its
// measures.
#pragma once

#include "core/analysis/head_measures.h"
#include "core/analysis/head_sampler.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headlight::core {

struct HeadGlance {
    HeadSample sample; ///< sample of the attention weights
    HeadMeasures measures;
};

/// The heads of one attention module. Holds no full matrix.
struct HeadGlances {
    AttentionId attention;
    std::vector<HeadGlance> heads;
    std::shared_ptr<const Mask> hidden; ///< mask of every sample; null if nothing is hidden
    /// The head that the others were compared with; unset: similarities were not measured.
    std::optional<HeadId> similarTo{};
};

/// The rows of one head. Each is reduced separately, so the matrix need not be in memory.
class ReducedHead {
  public:
    /// `mask`: the head's mask. `side`: maximum number of rows and of columns of the sample.
    ReducedHead(const Mask &mask, Index side);
    /// Reduces a row of the weights, which may lack hidden keys at its end, and returns its
    /// measures. Several threads can add different rows at once.
    HeadMeasures &take(std::span<const float> weights, Index query, const MeasuredText &text,
                       const VisibleKeys &visible);
    /// Returns the overview. All rows must have been added.
    HeadGlance glance() const;

  private:
    const Mask *m_mask;
    Index m_side;
    std::vector<HeadMeasures> m_measures; // by row
    Matrix m_reduced;                     // a row for each query
};

/// Returns the attention modules whose weights the trace has, in computation order.
std::vector<AttentionId> attentionsWithWeights(const Trace &trace);

/// Calls `look` with the weights of each head, on several threads if possible. Heads that must be
/// computed separately are read one after another. Errors: those of Trace::madeMatrix();
/// "cancelled".
Outcome forEachHead(const Trace &trace, AttentionId attention, Index sequence,
                    const std::stop_token &stop,
                    const std::function<void(Index head, MatrixView weights)> &look);

/// Reads the weights of each head once, a few rows at a time if the text is long. If they must be
/// computed, the trace keeps the layer's details afterwards; pass withoutDetails() to avoid that.
/// `side`: maximum number of rows and of columns of a sample. `attention` must be one of
/// attentionsWithWeights(). Errors: those of Trace::madeMatrix(); "cancelled".
Result<HeadGlances> glanceAt(const Trace &trace, AttentionId attention, Index sequence, Index side,
                             const std::stop_token &stop = {});

/// Overviews of all attention modules of a trace, computed one after the other.
struct TraceGlances {
    /// Computes nothing yet.
    TraceGlances(const Trace &ofTrace, Index ofSequence);

    TracePointer trace; ///< the trace, without details
    Index sequence = 0;
    std::vector<AttentionId> attentions;                  ///< attention modules that have weights
    std::vector<std::shared_ptr<const HeadGlances>> made; ///< one per attention; null: not ready
    std::optional<Error> error{};                         ///< set if computing one failed

    /// True if the trace has the same values, because it comes from the same pass.
    bool isOf(const Trace &other, Index ofSequence) const {
        return &trace->plan() == &other.plan() && sequence == ofSequence;
    }
    /// Returns the index of the next attention module to compute. Modules in `first` come before
    /// all others. No value if all are ready, or after an error.
    std::optional<std::size_t> next(std::span<const AttentionId> first = {}) const;
    /// Returns the maximum number of rows and of columns of a sample. More heads get smaller
    /// samples, to limit memory.
    Index side() const;
    const HeadGlances *of(AttentionId attention) const; ///< null: not ready
    const HeadGlance *of(const HeadId &place) const;    ///< null: not ready
    /// Computes the overview of the module with this index. `holder`, which may be null, has the
    /// same values as `trace`. If it has the layer's weights, they are not computed again.
    Result<HeadGlances> make(std::size_t place, const Trace *holder,
                             const std::stop_token &stop) const;
    void take(std::size_t place, Result<HeadGlances> glances);
};

} // namespace headlight::core
