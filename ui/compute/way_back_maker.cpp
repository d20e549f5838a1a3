#include "ui/compute/way_back_maker.h"

#include "core/training/run/questions.h"

namespace headlight::ui {

WayBackMaker::WayBackMaker(QObject *parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
}

WayBackMaker::~WayBackMaker() {
    m_stop.request_stop();
    m_pool.waitForDone();
}

void WayBackMaker::cancel() {
    ++m_request;
    m_isBusy = false;
    m_stop.request_stop();
}

void WayBackMaker::make(const core::TracePointer &trace, core::TaskPointer task) {
    cancel();
    m_stop = {};
    m_isBusy = true;
    m_pool.start(
        [this, trace, task = std::move(task), request = m_request, stop = m_stop.get_token()] {
            core::Result<core::WayBackPointer> wayBack =
                core::wayBackOf(trace, core::questionsOf(*trace, task.get()), stop);
            if (stop.stop_requested())
                return;
            QMetaObject::invokeMethod(
                this, [this, request, result = std::move(wayBack)] { take(request, result); },
                Qt::QueuedConnection);
        });
}

void WayBackMaker::take(int request, const core::Result<core::WayBackPointer> &wayBack) {
    if (request != m_request)
        return;
    m_isBusy = false;
    if (wayBack)
        emit made(*wayBack);
    else
        emit failed(wayBack.error());
}

} // namespace headlight::ui
