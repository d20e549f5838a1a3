// Collects the small pictures and the measures of all heads during a forward pass, so that a
// layer's weights need not be stored as a whole or computed again.
#pragma once

#include "core/analysis/head_glances.h"
#include "core/transformer/run/weights_observer.h"

#include <map>
#include <mutex>
#include <optional>
#include <set>

namespace headlight::core {

class ChosenHead;

/// Rows of weights arrive in any order, on several threads, and are dropped by the pass. So each
/// row is reduced separately, to its measures and the blocks of the sample. Once all rows of a
/// layer have arrived, they form the same HeadGlances that glanceAt() returns.
class PassGlances : public WeightsObserver {
  public:
    /// `similarTo`: also measures the similarity to this head in later layers, whose rows arrive
    /// when its weights are known. This takes the memory of one matrix.
    explicit PassGlances(Index sequence, std::optional<HeadId> similarTo = {})
        : m_sequence(sequence), m_similarTo(similarTo) {}

    /// Returns the layers that are finished so far, with a trace that has no numbers; null before
    /// the pass begins. A returned object never changes. Can be called from any thread. A layer
    /// whose rows the pass has partly reused is never finished.
    std::shared_ptr<const TraceGlances> glances() const;
    /// Returns the finished layers as overviews of this trace. Null if the trace comes from another
    /// pass, or for another sequence. Layers with unchanged weights come from `earlier` (may be
    /// null), if `earlier` belongs to the trace that the pass has reused.
    std::shared_ptr<const TraceGlances> glancesOf(const Trace &finished, Index sequence,
                                                  const TraceGlances *earlier = nullptr) const;

    void begin(const TracePointer &unfinished, const Trace *previous) override;
    void reuse(AttentionId attention, Reused reused) override;
    void take(AttentionId attention, Index sequence, Index head, Index first,
              const MatrixView &rows) override;

  private:
    struct Head;
    struct Layer;
    std::shared_ptr<Layer> layerOf(AttentionId attention); ///< null if it cannot be finished
    bool isChosen(AttentionId attention, Index head) const {
        return m_similarTo == HeadId{attention, head};
    }
    void finish(AttentionId attention, Layer &layer);

    Index m_sequence;
    std::optional<HeadId> m_similarTo;
    mutable std::mutex m_mutex; // guards the members below
    std::shared_ptr<const TraceGlances> m_glances;
    PlanPointer m_previous;            // plan of the reused trace; null if its tokens differ
    std::set<AttentionId> m_unchanged; // modules with the weights of the reused trace
    std::set<AttentionId> m_partial;   // modules whose first rows are reused; never finished
    mutable std::map<AttentionId, std::shared_ptr<Layer>> m_layers; // not finished
    std::shared_ptr<const ChosenHead> m_chosen;                     // null until it is complete
};

} // namespace headlight::core
