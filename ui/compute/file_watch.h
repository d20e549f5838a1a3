// Reports changes that other programs make to open files. Runs on its own thread because a disk
// may be slow or remote.
#pragma once

#include "core/tensor/number_storage.h"

#include <QObject>
#include <QThread>

#include <optional>
#include <vector>

namespace headlight::ui {

class FileWatch : public QObject {
    Q_OBJECT
  public:
    explicit FileWatch(QObject *parent = nullptr);
    ~FileWatch() override;

    using Files = std::vector<core::NumberSourcePointer>;
    /// Replaces the watched files and drops pending results for earlier ones. Does not block.
    void watch(Files files);
    /// Checks all files now. Needed on network disks, where the system reports no changes.
    void look();
    /// Checks all files and always reports the result. Used when other code has noticed a change,
    /// which may have been undone since then.
    void lookAnew();

  signals:
    /// Emitted after the first check that follows watch(), and then whenever the result differs
    /// from the previous one. `change` is the error of the first changed file, or nothing if all
    /// are unchanged again. A changed file that changes again is reported again.
    void found(const std::optional<headlight::core::Error> &change);

  private:
    class Worker;

    QThread m_thread;
    Worker *m_worker = nullptr; // lives in m_thread; null until files are first watched
    quint64 m_number = 0;       // identifies the current watch() call
};

} // namespace headlight::ui
