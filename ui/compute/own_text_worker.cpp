#include "ui/compute/own_text_worker.h"

#include <QFile>

namespace headlight::ui {

OwnTextWorker::OwnTextWorker(QObject *parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
}

OwnTextWorker::~OwnTextWorker() {
    m_stop.request_stop();
    m_pool.waitForDone();
}

void OwnTextWorker::read(const QString &path, core::TextUnits units) {
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_isReading = true;
    const std::string file = QFile::encodeName(path).toStdString();
    m_pool.start([this, file, units, number = ++m_newest, stop = m_stop.get_token()] {
        const core::Result<core::TaskPointer> task = core::readOwnTextTask(file, units, stop);
        QMetaObject::invokeMethod(
            this, [this, number, task] { take(number, task); }, Qt::QueuedConnection);
    });
}

void OwnTextWorker::take(quint64 number, const core::Result<core::TaskPointer> &task) {
    if (number != m_newest)
        return;
    m_isReading = false;
    if (task)
        emit made(*task);
    else
        emit failed(task.error());
}

} // namespace headlight::ui
