// Computes the backward pass of a trace on a worker thread. A new request replaces the pending
// one.
#pragma once

#include "core/explain/gradients/backward_pass.h"
#include "core/training/tasks/task.h"

#include <QObject>
#include <QThreadPool>

#include <stop_token>

namespace headlight::ui {

class BackwardPassWorker : public QObject {
    Q_OBJECT
  public:
    explicit BackwardPassWorker(QObject *parent = nullptr);
    ~BackwardPassWorker() override;

    /// Starts the backward pass for the targets of core::taskTargetsOf(). Emits made() or failed()
    /// unless another request or cancel() comes first.
    void make(const core::TracePointer &trace, core::TaskPointer task);
    void cancel();
    bool isBusy() const { return m_isBusy; }

  signals:
    void made(const headlight::core::BackwardPassPointer &backwardPass);
    void failed(const headlight::core::Error &error);

  private:
    void take(int request, const core::Result<core::BackwardPassPointer> &backwardPass);

    int m_request = 0; // the newest request
    bool m_isBusy = false;
    std::stop_source m_stop;
    QThreadPool m_pool; // one thread
};

} // namespace headlight::ui
