// Tells when files that are open are changed by somebody else. It looks on a thread of its own: a
// disk may be far away.
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
    /// These from now on, and no others: what is still found of others is not told. Returns at
    /// once.
    void watch(Files files);
    /// Looks at all of them, wherever the system does not tell of a change: on a disk in a network.
    void look();
    /// The same, and what is found is told in any case: somebody else has found a change, which may
    /// be gone by now.
    void lookAnew();

  signals:
    /// The first that is not what it was; none: all are again. What was found first since watch(),
    /// and then only what is news, also when a changed file is changed once more.
    void found(const std::optional<headlight::core::Error> &change);

  private:
    class Worker;

    QThread m_thread;
    Worker *m_worker = nullptr; // lives in the thread; null: nothing was ever watched
    quint64 m_number = 0;       // of what is watched now
};

} // namespace headlight::ui
