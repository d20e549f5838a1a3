#include "ui/compute/latest_job.h"

namespace headlight::ui {

LatestJob::LatestJob() {
    m_pool.setMaxThreadCount(1);
}

LatestJob::~LatestJob() {
    m_stop.request_stop();
    m_pool.waitForDone();
}

void LatestJob::cancel() {
    m_stop.request_stop();
    m_isBusy = false;
}

void LatestJob::run(std::function<Delivery(const std::stop_token &)> work) {
    cancel();
    m_stop = std::stop_source();
    m_isBusy = true;
    m_pool.start([this, work = std::move(work), stop = m_stop.get_token()] {
        if (stop.stop_requested()) // another job has replaced this one, which was still waiting
            return;
        Delivery deliver = work(stop);
        if (stop.stop_requested())
            return;
        QMetaObject::invokeMethod(
            &m_receiver,
            [this, stop, deliver = std::move(deliver)] {
                if (stop.stop_requested())
                    return;
                m_isBusy = false;
                deliver(); // may delete this object
            },
            Qt::QueuedConnection);
    });
}

} // namespace headlight::ui
