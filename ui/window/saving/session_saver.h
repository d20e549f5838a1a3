// Keeps a window's document: in the file it belongs to, which may have changed meanwhile, and in
// the recovery folder until it is saved.
#pragma once

#include "ui/window/saving/autosave.h"

namespace headlight::ui {

class SessionSaver : public QObject {
    Q_OBJECT
  public:
    /// `view` says which tab is shown.
    SessionSaver(Document &document, std::function<QString()> view, QObject *parent = nullptr);

    /// The file that saving writes; empty: it has to be asked for (a lesson, a new session, a
    /// figure that carries its session).
    QString path() const;
    /// Somebody else has written the file since it was read or saved here.
    bool hasChangedOnDisk() const;
    /// That file as it was read or saved here, for who watches it; null: there is none.
    core::NumberSourcePointer source() const;
    /// Where the work belongs, for who opens it again.
    Origin origin() const;
    /// Writes it, whatever is there. Errors: the system's, and nothing has happened.
    core::Outcome save(const QString &path);
    /// After Document::open() of recovered work: where it belongs.
    void setRecovered(const Origin &origin);

    Autosave &autosave() { return m_autosave; }

  private:
    Document &m_document;
    std::function<QString()> m_view;
    std::optional<FileIdentity> m_file; // as this window read or wrote it; none: no such file
    Autosave m_autosave;
};

} // namespace headlight::ui
