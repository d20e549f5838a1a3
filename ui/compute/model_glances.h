// The small pictures and the measures of all heads of a trace. The forward pass provides some or
// all of them, and a worker computes the rest layer by layer. Keeps no full matrix.
#pragma once

#include "core/analysis/pass_glances.h"
#include "ui/compute/latest_job.h"

#include <QElapsedTimer>

namespace headlight::ui {

class ModelGlances : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Drops the heads of another pass. Shows the heads that `pass` (may be null) provides.
    void show(const core::Trace &trace, core::Index sequence, const core::PassGlances *pass);
    /// Computes the missing heads of the trace, after show(). The modules in `first` come first,
    /// beginning with the next computation. Does not block.
    void want(const core::TracePointer &trace, core::Index sequence, const core::PassGlances *pass,
              std::vector<core::AttentionId> first = {});
    /// Stops and keeps what is finished.
    void rest();
    /// Stops and drops everything.
    void forget();
    /// Returns the finished heads of this trace, or null if none were requested. The result is
    /// immutable.
    std::shared_ptr<const core::TraceGlances> of(const core::Trace &trace,
                                                 core::Index sequence) const;
    bool isBusy() const { return m_job.isBusy(); }

  signals:
    /// Emitted when more layers are ready or an error occurred. Not emitted for each of many
    /// layers, because painting would take much longer than computing.
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
