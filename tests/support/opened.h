// A source opened for a test, or the test fails.
#pragma once

#include "tests/support/waiting.h"
#include "ui/document/document.h"

#include <QSignalSpy>

namespace headlight::test {

inline ui::OpenedSource opened(const QString &source, core::Index step = 0) {
    ui::SourceRequest request;
    request.source = source;
    if (step > 0) // a session that is no lesson has none
        request.step = step;
    core::Result<ui::OpenedSource> result = ui::openSource(request);
    if (!result)
        qFatal("%s", result.error().text().c_str());
    return *std::move(result);
}

/// Waits until the document's trace is that of its state.
inline bool settled(ui::Document &document) {
    return until([&] { return document.trace() && !document.traceIsStale(); });
}

/// Waits until nothing is computed any more, wanted or not, and what it reported has been taken: a
/// document, or a runner. What did not come by then cannot come.
template <typename Computing>
bool idle(const Computing &computing) {
    const bool ended = until([&] { return !computing.isBusy(); });
    QCoreApplication::processEvents(); // what was reported last
    return ended;
}

} // namespace headlight::test
