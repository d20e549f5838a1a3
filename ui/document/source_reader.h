// Reads sources beside the window: files are of any size and on any disk, and the window never
// waits for one. The newest request wins.
#pragma once

#include "ui/document/source.h"

#include <QObject>
#include <QThreadPool>

#include <functional>

namespace headlight::ui {

class SourceReader : public QObject {
    Q_OBJECT
  public:
    explicit SourceReader(QObject *parent = nullptr);
    ~SourceReader() override;

    using Take = std::function<void(core::Result<OpenedSource> opened)>;
    /// Returns at once. `take` gets the result on this object's thread, unless another request or
    /// cancel() comes first.
    void read(const SourceRequest &request, Take take);
    /// What is being read is not wanted any more; nothing is taken.
    void cancel();
    bool isReading() const { return m_reading; }
    /// What is being read, or was read last: a lesson's id or a file's path.
    const QString &source() const { return m_source; }

  signals:
    void started();
    /// Taken, or cancelled.
    void ended();

  private:
    QString m_source;
    bool m_reading = false;
    quint64 m_newest = 0;
    std::stop_source m_stop;
    QThreadPool m_pool; // one thread
};

} // namespace headlight::ui
