// Computes a stage of a partial trace without blocking the window.
#pragma once

#include "ui/compute/trace_runner.h"

#include <memory>

namespace headlight::ui {

/// True if the trace holds the stage, or its row, and the attention weights of its layer or head.
bool isReady(const core::Trace &trace, const DetailRequest &look);

class StageWorker : public QObject {
    Q_OBJECT
  public:
    /// Returns a trace for which isReady() is true: `trace` itself, or one that a worker has
    /// completed. Null if there is no trace, or until made() is emitted.
    core::TracePointer traceWith(const core::TracePointer &trace, const DetailRequest &look);

  signals:
    void made();
    void failed(const headlight::core::Error &error);

  private:
    core::TracePointer m_of, m_made; // m_made: m_of with the stages of another layer, or null
    std::optional<DetailRequest> m_wanted;
    std::unique_ptr<TraceRunner> m_runner; // its thread is created for long inputs only
};

} // namespace headlight::ui
