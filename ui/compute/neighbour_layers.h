// Prepares the layers before and after the displayed one in the background, so that they can be
// shown immediately. For long texts, whose trace holds the details of only one layer. If the layers
// are too large for this, prepares the heads before and after the displayed one.
#pragma once

#include "ui/compute/latest_job.h"
#include "ui/compute/trace_runner.h"

#include <array>
#include <optional>

namespace headlight::ui {

class NeighbourLayers : public QObject {
    Q_OBJECT
  public:
    /// The memory that the neighbours may take together.
    static constexpr core::Index kMaxBytes = core::Index(512) << 20;

    explicit NeighbourLayers(core::Index maxBytes = kMaxBytes) : m_maxBytes(maxBytes) {}

    /// Prepares the neighbours of `shown`, the later one first, and drops all other layers. If only
    /// one fits into memory, it is the one in the direction of the last step. Does nothing if the
    /// trace holds every layer, or if none fits. Does not block.
    void want(const core::TracePointer &trace, const DetailRequest &shown);
    /// Stops, and keeps what is ready.
    void rest() { m_job.cancel(); }
    /// Stops and drops everything, except the direction of the last step.
    void forget();
    /// Returns a trace of the same pass that holds the details of `wanted`; null if no neighbour
    /// has them. Keeps `left` in its place, so that the user can go back immediately, unless `left`
    /// holds single heads, which may be many.
    core::TracePointer exchange(const core::TracePointer &left, const DetailRequest &wanted);

    /// The layers or heads that are ready: at most two.
    std::size_t count() const;
    bool isBusy() const { return m_job.isBusy(); }

  private:
    using Looks = std::array<std::optional<DetailRequest>, 2>; // the later one, the earlier one

    Looks looksAround(const core::Trace &trace, const DetailRequest &shown);
    void prepareNext();

    core::Index m_maxBytes;
    core::TracePointer m_shown;                // null: nothing was requested
    std::optional<DetailRequest> m_around;     // the request whose neighbours were wanted last
    bool m_goesBack = false;                   // the last step went to an earlier layer or head
    bool m_areHeads = false;                   // the neighbours are heads of the displayed layer
    Looks m_looks;                             // none at the first and the last layer
    std::array<core::TracePointer, 2> m_ready; // null: not ready
    std::array<bool, 2> m_failed{};            // the error is shown when the user selects it
    LatestJob m_job;
};

} // namespace headlight::ui
