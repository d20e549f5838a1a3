// The small pictures and the measures of all heads of a trace. The pass has taken some or all of
// them. A worker computes the others, one layer after the other. Keeps no full matrix.
#pragma once

#include "core/analysis/pass_glances.h"
#include "ui/compute/latest_job.h"

#include <QElapsedTimer>

namespace headlight::ui {

class ModelGlances : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Drops the heads of another pass and shows the heads that `pass` (may be null) has taken.
    void show(const core::Trace &trace, core::Index sequence, const core::PassGlances *pass);
    /// Computes the missing heads of the trace, after show(). `first`: the modules to compute
    /// before the others, beginning with the next computation. Does not block.
    void want(const core::TracePointer &trace, core::Index sequence, const core::PassGlances *pass,
              std::vector<core::AttentionId> first = {});
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
    std::vector<core::AttentionId> m_first;
    core::TracePointer m_holder; // keeps the trace alive while the job runs; may hold the weights
    LatestJob m_job;             // computes the next layer of m_glances
    QElapsedTimer m_sinceMade;   // invalid before the first layer
};

} // namespace headlight::ui
