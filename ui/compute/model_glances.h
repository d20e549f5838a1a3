// Computes the small pictures and the measures of all heads of a trace, one layer after the other
// on a worker thread. Keeps no full matrix.
#pragma once

#include "core/analysis/head_glances.h"
#include "ui/compute/latest_job.h"

#include <QElapsedTimer>

namespace headlight::ui {

class ModelGlances : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Starts with the heads of this trace, or continues with them. Drops those of another pass.
    /// Does not block.
    void want(const core::TracePointer &trace, core::Index sequence);
    /// Stops and keeps what is finished.
    void rest();
    /// Stops and drops everything.
    void forget();
    /// Returns the finished heads of this trace; null if none were requested. The value never
    /// changes afterwards.
    std::shared_ptr<const core::TraceGlances> of(const core::Trace &trace,
                                                 core::Index sequence) const;
    bool isBusy() const { return m_job.isBusy(); }

  signals:
    /// The heads of more layers are ready, or there is an error. With many layers, painting after
    /// each of them would take much longer than computing them.
    void made();

  private:
    void makeNext();

    std::shared_ptr<const core::TraceGlances> m_glances;
    core::TracePointer m_holder; // keeps the trace alive while the job runs; may hold the weights
    LatestJob m_job;             // computes the next layer of m_glances
    QElapsedTimer m_sinceMade;   // invalid before the first layer
};

} // namespace headlight::ui
