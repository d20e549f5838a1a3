#include "ui/document/source_reader.h"

namespace headlight::ui {

void SourceReader::read(const SourceRequest &request, Take take) {
    m_source = request.source;
    m_job.start([request](const std::stop_token &stop) { return openSource(request, stop); },
                [this, take = std::move(take)](core::Result<OpenedSource> opened) {
                    emit ended(); // before `take`, which may open a dialog
                    take(std::move(opened));
                });
    emit started();
}

void SourceReader::cancel() {
    if (!isReading())
        return;
    m_job.cancel();
    emit ended();
}

} // namespace headlight::ui
