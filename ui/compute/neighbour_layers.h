// Prepares the layers before and after the displayed one in the background, so that they can be
// shown immediately. Used for long texts, whose trace holds the details of only one layer. If
// layers are too large, prepares the heads before and after the displayed one instead.
#pragma once

#include "ui/compute/latest_job.h"
#include "ui/compute/trace_runner.h"

#include <array>
#include <optional>

namespace headlight::ui {

class NeighbourLayers : public QObject {
    Q_OBJECT
  public:
    /// Memory limit for all prepared neighbours together.
    static constexpr core::Index kMaxBytes = core::Index(512) << 20;

    explicit NeighbourLayers(core::Index maxBytes = kMaxBytes) : m_maxBytes(maxBytes) {}

    /// Prepares the neighbours of `shown`, the later one first, and drops all other layers. If only
    /// one fits into memory, prepares the one in the direction of the last step. Does nothing if
    /// the trace holds every layer, or if no neighbour fits. Does not block.
    void want(const core::TracePointer &trace, const DetailRequest &shown);
    /// Stops, and keeps what is ready.
    void rest() { m_job.cancel(); }
    /// Stops and drops everything except the direction of the last step.
    void forget();
    /// Returns a trace of the same pass that holds the details of `wanted`. Null if no neighbour
    /// has them. Stores `left` in its place, so that the user can go back immediately, unless
    /// `left` holds single heads, because these may be many.
    core::TracePointer exchange(const core::TracePointer &left, const DetailRequest &wanted);

    /// Returns the number of layers or heads that are ready, at most two.
    std::size_t count() const;
    bool isBusy() const { return m_job.isBusy(); }

  private:
    using Looks = std::array<std::optional<DetailRequest>, 2>; // the later one, the earlier one

    Looks looksAround(const core::Trace &trace, const DetailRequest &shown);
    void prepareNext();

    core::Index m_maxBytes;
    core::TracePointer m_shown;                // null: nothing was requested
    std::optional<DetailRequest> m_around;     // previous request, to find the direction
    bool m_goesBack = false;                   // the last step went to an earlier layer or head
    bool m_areHeads = false;                   // the neighbours are heads of the displayed layer
    Looks m_looks;                             // unset at the first and the last layer
    std::array<core::TracePointer, 2> m_ready; // null: not ready
    std::array<bool, 2> m_failed{};            // the error is shown when the user selects it
    LatestJob m_job;
};

} // namespace headlight::ui
