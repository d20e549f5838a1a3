#include "ui/compute/verify_worker.h"

namespace headlight::ui {

VerifyWorker::VerifyWorker(QObject *parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
}

VerifyWorker::~VerifyWorker() {
    m_stop.request_stop();
    m_pool.waitForDone();
}

void VerifyWorker::cancel() {
    ++m_request;
    m_isBusy = false;
    m_stop.request_stop();
}

void VerifyWorker::verify(const core::TracePointer &trace) {
    cancel();
    m_stop = {};
    m_isBusy = true;
    m_progress = std::make_shared<core::Progress>();
    m_pool.start([this, trace, progress = m_progress, request = m_request,
                  stop = m_stop.get_token()] {
        core::Result<core::Verification> verification = core::verify(*trace, stop, progress.get());
        if (stop.stop_requested())
            return;
        QMetaObject::invokeMethod(
            this, [this, request, result = std::move(verification)] { take(request, result); },
            Qt::QueuedConnection);
    });
}

void VerifyWorker::take(int request, const core::Result<core::Verification> &verification) {
    if (request != m_request)
        return;
    m_isBusy = false;
    if (verification)
        emit verified(*verification);
    else
        emit failed(verification.error());
}

} // namespace headlight::ui
