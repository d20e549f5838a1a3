// Keeps a window's unsaved work in the recovery folder, so that a crash costs less than a minute of
// it. Written on a thread of its own: a large session does not make the window wait.
#pragma once

#include "ui/document/document.h"
#include "ui/window/saving/recovery_folder.h"

#include <QThreadPool>
#include <QTimer>

#include <atomic>
#include <functional>

namespace headlight::ui {

class Autosave : public QObject {
    Q_OBJECT
  public:
    /// `origin` and `view` are asked when it is time.
    Autosave(Document &document, std::function<Origin()> origin, std::function<QString()> view,
             QObject *parent = nullptr);
    ~Autosave() override;

    /// Waits for what is being written and takes the file away: the work is saved, or not wanted.
    void forget();
    /// At once, and waits for it; false where it could not be written.
    bool writeNow();
    /// The same, and the file stays when the window is gone, unless it is edited or saved before
    /// that: the session ends.
    bool keep();
    /// What is kept so is all of the work.
    bool isKept() const { return m_isKept; }
    /// The recovery file; empty where there is none.
    QString path() const { return m_slot.path(); }

  signals:
    void failed(const headlight::core::Error &error);

  private:
    void documentChanged(const ChangeEvent &event);
    void write();
    void tell(const core::Error &error);

    Document &m_document;
    std::function<Origin()> m_origin;
    std::function<QString()> m_view;
    RecoverySlot m_slot;
    QTimer m_timer;
    std::atomic<bool> m_isWritten = false; // the last one
    bool m_isKept = false;
    bool m_hasFailed = false; // and said so: not every 20 seconds again
    QThreadPool m_writer;     // one thread: the writes come in their order
};

} // namespace headlight::ui
