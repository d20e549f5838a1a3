// Saves a window's unsaved work in the recovery folder, so that a crash costs at most 20 seconds of
// it. Writes in a thread, so that a large session does not block the window.
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
    /// `origin` and `view` are called before each write.
    Autosave(Document &document, std::function<Origin()> origin, std::function<QString()> view,
             QObject *parent = nullptr);
    ~Autosave() override;

    /// Waits for a running write and deletes the file, because the work is saved or discarded.
    void forget();
    /// Writes immediately and waits. Returns false if the file could not be written.
    bool writeNow();
    /// Like writeNow(), but the file remains when the window is destroyed, unless the document
    /// changes or is saved before then. Used when the desktop session ends.
    bool keep();
    /// True if the kept file contains all work.
    bool isKept() const { return m_isKept; }
    /// Returns the path of the recovery file; empty if there is none.
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
    std::atomic<bool> m_isWritten = false; // result of the last write
    bool m_isKept = false;
    bool m_hasFailed = false; // so that only the first failure is reported
    QThreadPool m_writer;     // one thread keeps the writes in order
};

} // namespace headlight::ui
