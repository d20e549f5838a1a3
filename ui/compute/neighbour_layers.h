// Prepares the layers before and after the shown one in the background, for a long text, whose
// trace holds the details of one layer. So the next layer can be shown at once.
#pragma once

#include "ui/compute/latest_job.h"
#include "ui/compute/trace_runner.h"

#include <array>
#include <optional>

namespace headlight::ui {

class NeighbourLayers : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Prepares the neighbours of `shown`, the later one first, and drops all other layers. Does
    /// nothing if the trace holds every layer, or if both would take too much memory. Does not
    /// block.
    void want(const core::TracePointer &trace, const DetailRequest &shown);
    /// Stops, and keeps what is ready.
    void rest() { m_job.cancel(); }
    /// Stops and drops everything.
    void forget();
    /// Returns a trace of the same pass that holds the details of `wanted`, and keeps `left` in
    /// its place, so that the user can go back at once, unless it holds single heads, which may be
    /// many. Null if no neighbour has them.
    core::TracePointer exchange(const core::TracePointer &left, const DetailRequest &wanted);

    /// The layers that are ready: at most two.
    std::size_t count() const;
    bool isBusy() const { return m_job.isBusy(); }

    /// The memory that both neighbours may take together.
    static constexpr core::Index kMaxBytes = core::Index(512) << 20;

  private:
    void prepareNext();

    core::TracePointer m_shown;                          // null: nothing was requested
    std::array<std::optional<DetailRequest>, 2> m_looks; // none at the first and the last layer
    std::array<core::TracePointer, 2> m_ready;           // null: not ready
    std::array<bool, 2> m_failed{};                      // the error is shown when it is selected
    LatestJob m_job;
};

} // namespace headlight::ui
