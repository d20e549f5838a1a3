// Goes the way back of a trace beside the window; the newest request counts.
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

    /// Of what the text asks: see core::taskTargetsOf(). made() or failed() follows, unless another
    /// one is asked for, or cancel().
    void make(const core::TracePointer &trace, core::TaskPointer task);
    void cancel();
    bool isBusy() const { return m_isBusy; }

  signals:
    void made(const headlight::core::BackwardPassPointer &backwardPass);
    void failed(const headlight::core::Error &error);

  private:
    void take(int request, const core::Result<core::BackwardPassPointer> &backwardPass);

    int m_request = 0; // the newest
    bool m_isBusy = false;
    std::stop_source m_stop;
    QThreadPool m_pool; // one thread
};

} // namespace headlight::ui
