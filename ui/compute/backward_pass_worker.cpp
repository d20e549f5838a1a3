#include "ui/compute/backward_pass_worker.h"

#include "core/training/run/targets.h"

namespace headlight::ui {

BackwardPassWorker::BackwardPassWorker(QObject *parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
}

BackwardPassWorker::~BackwardPassWorker() {
    m_stop.request_stop();
    m_pool.waitForDone();
}

void BackwardPassWorker::cancel() {
    ++m_request;
    m_isBusy = false;
    m_stop.request_stop();
}

void BackwardPassWorker::make(const core::TracePointer &trace, core::TaskPointer task) {
    cancel();
    m_stop = {};
    m_isBusy = true;
    m_pool.start(
        [this, trace, task = std::move(task), request = m_request, stop = m_stop.get_token()] {
            core::Result<core::BackwardPassPointer> backwardPass =
                core::runBackward(trace, core::taskTargetsOf(*trace, task.get()), stop);
            if (stop.stop_requested())
                return;
            QMetaObject::invokeMethod(
                this, [this, request, result = std::move(backwardPass)] { take(request, result); },
                Qt::QueuedConnection);
        });
}

void BackwardPassWorker::take(int request,
                              const core::Result<core::BackwardPassPointer> &backwardPass) {
    if (request != m_request)
        return;
    m_isBusy = false;
    if (backwardPass)
        emit made(*backwardPass);
    else
        emit failed(backwardPass.error());
}

} // namespace headlight::ui
