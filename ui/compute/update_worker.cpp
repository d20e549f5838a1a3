#include "ui/compute/update_worker.h"

namespace headlight::ui {

UpdateWorker::UpdateWorker(QObject *parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
}

UpdateWorker::~UpdateWorker() {
    m_stop.request_stop();
    m_pool.waitForDone();
}

void UpdateWorker::cancel() {
    ++m_request;
    m_stop.request_stop();
}

void UpdateWorker::make(core::TrainingState state, core::TaskPointer task,
                        const core::ParameterId &id, core::Index row, core::Index column) {
    cancel();
    m_stop = {};
    m_pool.start([this, state = std::move(state), task = std::move(task), id, row, column,
                  request = m_request, stop = m_stop.get_token()]() mutable {
        core::Result<core::Trainer> trainer =
            core::Trainer::create(std::move(state), std::move(task));
        core::Result<core::WeightUpdate> update =
            trainer ? trainer->nextUpdate(id, row, column, stop)
                    : core::Result<core::WeightUpdate>(trainer.error());
        if (stop.stop_requested())
            return;
        QMetaObject::invokeMethod(
            this, [this, request, result = std::move(update)] { take(request, result); },
            Qt::QueuedConnection);
    });
}

void UpdateWorker::take(int request, const core::Result<core::WeightUpdate> &update) {
    if (request != m_request)
        return;
    if (update)
        emit made(*update);
    else
        emit failed(update.error());
}

} // namespace headlight::ui
