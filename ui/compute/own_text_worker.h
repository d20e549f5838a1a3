// Reads a user's text file for training on a worker thread.
#pragma once

#include "core/training/tasks/own_text.h"

#include <QObject>
#include <QThreadPool>

#include <stop_token>

namespace headlight::ui {

class OwnTextWorker : public QObject {
    Q_OBJECT
  public:
    explicit OwnTextWorker(QObject *parent = nullptr);
    ~OwnTextWorker() override;

    /// Returns at once. Cancels a read in progress.
    void read(const QString &path, core::TextUnits units);
    bool isReading() const { return m_isReading; }

  signals:
    void made(const headlight::core::TaskPointer &task);
    void failed(const headlight::core::Error &error);

  private:
    void take(quint64 number, const core::Result<core::TaskPointer> &task);

    std::stop_source m_stop;
    quint64 m_newest = 0;
    bool m_isReading = false;
    QThreadPool m_pool; // one thread
};

} // namespace headlight::ui
