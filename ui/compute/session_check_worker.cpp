#include "ui/compute/session_check_worker.h"

#include "core/checks/session_check.h"

namespace headlight::ui {

SessionCheckWorker::SessionCheckWorker(QObject *parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
}

SessionCheckWorker::~SessionCheckWorker() {
    m_stop.request_stop();
    m_pool.waitForDone();
}

void SessionCheckWorker::check(std::function<std::string()> document) {
    cancel();
    m_stop = std::stop_source();
    m_isChecking = true;
    m_pool.start(
        [this, document = std::move(document), number = m_newest, stop = m_stop.get_token()] {
            const core::Findings findings = core::inspectSession(document(), stop);
            QMetaObject::invokeMethod(
                this, [this, number, findings] { take(number, findings); }, Qt::QueuedConnection);
        });
}

void SessionCheckWorker::cancel() {
    m_stop.request_stop();
    m_isChecking = false;
    ++m_newest;
}

void SessionCheckWorker::take(quint64 number, const core::Findings &findings) {
    if (number != m_newest)
        return;
    m_isChecking = false;
    emit checked(findings);
}

} // namespace headlight::ui
