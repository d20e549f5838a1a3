// Folder of unsaved work: for each window a session file, a file with its origin, and a lock that
// is held while the program runs.
#pragma once

#include "ui/window/saving/file_identity.h"

#include "core/result.h"

#include <QDateTime>
#include <QLockFile>

#include <memory>
#include <vector>

namespace headlight::ui {

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

/// Returns the recoverable sessions, the newest first. Excludes those of running programs.
std::vector<RecoverableSession> abandonedWork();
void remove(const RecoverableSession &work);

} // namespace headlight::ui
