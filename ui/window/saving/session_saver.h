// Saves a window's document: to its file, which another program may have changed, and to the
// recovery folder until it is saved.
#pragma once

#include "ui/window/saving/autosave.h"

namespace headlight::ui {

class SessionSaver : public QObject {
    Q_OBJECT
  public:
    /// `view` returns the id of the current tab.
    SessionSaver(Document &document, std::function<QString()> view, QObject *parent = nullptr);

    /// `isOpen` returns true while the user writes the lesson. A lesson that is being written, or
    /// was edited since it was opened, is saved at its first step, where its readers will start.
    void setLessonEditor(std::function<bool()> isOpen) { m_isWritingLesson = std::move(isOpen); }

    /// Returns the file that Save writes. Empty if the user must choose one: for a lesson, a new
    /// session, or a figure that contains its session.
    QString path() const;
    /// True if another program has written the file since it was read or saved.
    bool hasChangedOnDisk() const;
    /// Returns the file as read or saved, for a file watch; null if there is none.
    core::NumberSourcePointer source() const;
    /// Returns the origin of the work, for recovery.
    Origin origin() const;
    /// Writes the file and replaces an existing one. On a system error, nothing has changed.
    core::Outcome save(const QString &path);
    /// Sets the origin of recovered work. Call it after Document::open().
    void setRecovered(const Origin &origin);

    Autosave &autosave() { return m_autosave; }

  private:
    Document &m_document;
    std::function<QString()> m_view;
    std::function<bool()> m_isWritingLesson; // empty: never
    std::optional<FileIdentity> m_file;      // content last read or written; empty: no file
    Autosave m_autosave;
};

} // namespace headlight::ui
