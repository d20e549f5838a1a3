// Folder of unsaved work: for each window a session file, a file with its origin, and a lock that
// is held while the program runs.
#pragma once

#include "core/result.h"

#include <QByteArray>
#include <QDateTime>
#include <QLockFile>
#include <QString>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace headlight::ui {

/// Identity of a file's content when a window read or wrote it, to detect changes by other
/// programs. Compares content only, so a touched file is equal.
struct FileIdentity {
    qint64 size = 0;
    QByteArray hash; ///< SHA-256
    bool operator==(const FileIdentity &) const = default;
};

FileIdentity identityOf(std::string_view bytes);
/// Returns the identity of the current file; empty if it cannot be read.
std::optional<FileIdentity> identityOnDisk(const QString &path);

/// Source of a document, and the identity of its file when it was last read or written.
struct Origin {
    QString source; ///< path or lesson id; empty for a new session
    std::optional<FileIdentity> file;
};

QString recoveryFolder();

/// A window's files in the folder. They are removed with the window, unless the program crashes.
class RecoverySlot {
  public:
    RecoverySlot() = default;
    RecoverySlot(const RecoverySlot &) = delete;
    RecoverySlot &operator=(const RecoverySlot &) = delete;
    ~RecoverySlot() { remove(); }

    /// Creates the lock and writes the origin. No effect if already claimed.
    core::Outcome claim(const Origin &origin);
    /// Returns the path of the session file; empty before claim().
    QString path() const;
    void remove();
    /// Releases the lock but keeps the files for the next start.
    void leave() { m_lock.reset(); }

  private:
    QString m_name; // path of the files without suffixes
    std::unique_ptr<QLockFile> m_lock;
};

/// Work of a crashed program. The lock keeps other programs from offering it.
struct RecoverableSession {
    QString path; ///< path of the session file
    Origin origin;
    QDateTime time;
    std::shared_ptr<QLockFile> lock;
};

/// Returns the recoverable sessions, the newest first. Excludes sessions of running programs.
std::vector<RecoverableSession> abandonedWork();
void remove(const RecoverableSession &work);

} // namespace headlight::ui
