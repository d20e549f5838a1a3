// Opens a source for a test, or fails the test.
#pragma once

#include "tests/support/waiting.h"
#include "ui/document/document.h"

#include <QSignalSpy>

namespace headlight::test {

inline ui::OpenedSource opened(const QString &source, core::Index step = 0) {
    ui::SourceRequest request;
    request.source = source;
    if (step > 0) // a session that is no lesson has no steps
        request.step = step;
    core::Result<ui::OpenedSource> result = ui::openSource(request);
    if (!result)
        qFatal("%s", result.error().text().c_str());
    return *std::move(result);
}

/// Waits until the document's trace is up to date.
inline bool settled(ui::Document &document) {
    return until([&] { return document.trace() && !document.traceIsStale(); });
}

/// Waits until a document or a runner has finished all computations and its reports are delivered.
/// No report arrives later.
template <typename Computing>
bool idle(const Computing &computing) {
    const bool ended = until([&] { return !computing.isBusy(); });
    QCoreApplication::processEvents(); // delivers the last report
    return ended;
}

} // namespace headlight::test
