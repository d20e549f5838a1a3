// Each head of an attention module at a glance: a small picture of its weights, and its measures.
#pragma once

#include "core/analysis/head_measures.h"
#include "core/analysis/head_sampler.h"

#include <memory>
#include <optional>
#include <vector>

namespace headlight::core {

struct HeadPlace {
    AttentionId attention;
    Index head = 0;
    auto operator<=>(const HeadPlace &) const = default;
};

struct HeadGlance {
    HeadSample sample; ///< of the attention weights
    HeadMeasures measures;
};

/// The heads of one attention module. Holds no full matrix.
struct HeadGlances {
    AttentionId attention;
    std::vector<HeadGlance> heads;
    std::shared_ptr<const Mask> hidden; ///< mask of every sample; null if nothing is hidden
};

/// Returns the attention modules whose weights the trace has, in the order of computation.
std::vector<AttentionId> attentionsWithWeights(const Trace &trace);

/// Reads the weights of each head once. Of a trace that does not hold them, it reads one head after
/// the other, and the trace keeps the layer's details afterwards: give withoutDetails(). `side`:
/// maximum rows and columns of a sample. The module must be of attentionsWithWeights(). Errors:
/// those of Trace::madeMatrix(); "cancelled".
Result<HeadGlances> glanceAt(const Trace &trace, AttentionId attention, Index sequence, Index side,
                             const std::stop_token &stop = {});

/// All heads of a trace at a glance, as far as they are ready.
struct TraceGlances {
    /// Nothing is ready.
    TraceGlances(const Trace &ofTrace, Index ofSequence);

    TracePointer trace; ///< without details
    Index sequence = 0;
    std::vector<AttentionId> attentions;                  ///< that have weights
    std::vector<std::shared_ptr<const HeadGlances>> made; ///< one per attention; null: not ready
    std::optional<Error> error{};                         ///< why one is missing

    /// True if the trace has the same numbers: it comes from the same pass.
    bool isOf(const Trace &other, Index ofSequence) const {
        return &trace->plan() == &other.plan() && sequence == ofSequence;
    }
    /// Returns the place of the first that is not ready in `attentions`; none after an error.
    std::optional<std::size_t> next() const;
    /// The maximum rows and columns of a sample, so that those of all heads take little memory.
    Index side() const;
    const HeadGlances *of(AttentionId attention) const; ///< null: not ready
    const HeadGlance *of(const HeadPlace &place) const; ///< null: not ready
    /// Makes the next one. `holder`, which may be null, has the same numbers as `trace`. If it
    /// holds the weights of the layer, they are not computed again.
    Result<HeadGlances> makeNext(const Trace *holder, const std::stop_token &stop) const;
    void take(std::size_t place, Result<HeadGlances> glances);
};

} // namespace headlight::core
