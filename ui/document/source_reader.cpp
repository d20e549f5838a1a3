#include "ui/document/source_reader.h"

namespace headlight::ui {

SourceReader::SourceReader(QObject *parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
}

SourceReader::~SourceReader() {
    m_stop.request_stop();
    m_pool.waitForDone();
}

void SourceReader::read(const SourceRequest &request, Take take) {
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_source = request.source;
    m_reading = true;
    m_pool.start(
        [this, request, take = std::move(take), number = ++m_newest, stop = m_stop.get_token()] {
            if (stop.stop_requested())
                return;
            auto opened = std::make_shared<core::Result<OpenedSource>>(openSource(request, stop));
            QMetaObject::invokeMethod(
                this,
                [this, number, take, opened] {
                    if (number != m_newest || !m_reading)
                        return;
                    m_reading = false;
                    emit ended(); // before `take`, which may open a dialog
                    take(std::move(*opened));
                },
                Qt::QueuedConnection);
        });
    emit started();
}

void SourceReader::cancel() {
    if (!m_reading)
        return;
    m_stop.request_stop();
    m_reading = false;
    emit ended();
}

} // namespace headlight::ui
