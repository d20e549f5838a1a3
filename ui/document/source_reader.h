// Reads sources on a worker thread, because a file may be large or on a slow disk. The newest
// request wins.
#pragma once

#include "ui/compute/latest_job.h"
#include "ui/document/source.h"

#include <functional>

namespace headlight::ui {

class SourceReader : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    using Take = std::function<void(core::Result<OpenedSource> opened)>;
    /// Calls `take` with the result on this object's thread, unless another request or cancel()
    /// comes first. Does not block.
    void read(const SourceRequest &request, Take take);
    /// Cancels the read in progress. `take` is not called.
    void cancel();
    bool isReading() const { return m_job.isBusy(); }
    /// The lesson id or file path that is being read, or was read last.
    const QString &source() const { return m_source; }

  signals:
    void started();
    /// The read has finished or was cancelled.
    void ended();

  private:
    QString m_source;
    LatestJob m_job;
};

} // namespace headlight::ui
