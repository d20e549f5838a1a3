// A stage of a trace that does not hold all of itself, without the window waiting for it.
#pragma once

#include "ui/compute/trace_runner.h"

#include <memory>

namespace headlight::ui {

/// The stage there, and the attention weights of its layer, or head, will be answered at once.
bool isReady(const core::Trace &trace, const DetailRequest &look);

class StageWorker : public QObject {
    Q_OBJECT
  public:
    /// A trace for which that is so: `trace` itself, or what a worker made of it. Null: it is being
    /// made, and made() follows; or there is no trace.
    core::TracePointer traceWith(const core::TracePointer &trace, const DetailRequest &look);

  signals:
    void made();
    void failed(const headlight::core::Error &error);

  private:
    core::TracePointer m_of, m_made; // m_made: m_of with the stages of another layer; or null
    std::optional<DetailRequest> m_wanted;
    std::unique_ptr<TraceRunner> m_runner; // a thread that only long inputs need
};

} // namespace headlight::ui
