// Compares a trace with the same computation in float64 on a worker thread. A new request replaces
// the pending one.
#pragma once

#include "core/checks/verification.h"

#include <QObject>
#include <QThreadPool>

#include <memory>
#include <stop_token>

namespace headlight::ui {

class VerifyWorker : public QObject {
    Q_OBJECT
  public:
    explicit VerifyWorker(QObject *parent = nullptr);
    ~VerifyWorker() override;

    /// Starts core::verify(). Emits verified() or failed() unless another request or cancel() comes
    /// first.
    void verify(const core::TracePointer &trace);
    void cancel();
    bool isBusy() const { return m_isBusy; }
    /// The progress of the newest request.
    core::Progress::Layers progress() const { return m_progress->layers(); }

  signals:
    void verified(const headlight::core::Verification &verification);
    void failed(const headlight::core::Error &error);

  private:
    void take(int request, const core::Result<core::Verification> &verification);

    int m_request = 0; // the newest request
    bool m_isBusy = false;
    std::stop_source m_stop;
    std::shared_ptr<core::Progress> m_progress = std::make_shared<core::Progress>();
    QThreadPool m_pool; // one thread
};

} // namespace headlight::ui
