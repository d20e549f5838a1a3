// The folder of unsaved work: a session file for every window that has some, beside it where it
// belongs, and a lock that says whose it is for as long as that program runs.
#pragma once

#include "ui/window/saving/file_identity.h"

#include "core/result.h"

#include <QDateTime>
#include <QLockFile>

#include <memory>
#include <vector>

namespace headlight::ui {

/// Where a document came from, and the file as it was then.
struct Origin {
    QString source; ///< a path or a lesson's id; empty: it was new
    std::optional<FileIdentity> file;
};

QString recoveryFolder();

/// A window's place in the folder; it goes with the window, unless the program crashes.
class RecoverySlot {
  public:
    RecoverySlot() = default;
    RecoverySlot(const RecoverySlot &) = delete;
    RecoverySlot &operator=(const RecoverySlot &) = delete;
    ~RecoverySlot() { remove(); }

    /// Claims a place and says where the work belongs; nothing to do where it is claimed already.
    core::Outcome claim(const Origin &origin);
    /// The session file; empty before it is claimed.
    QString path() const;
    void remove();
    /// The files stay, for the next program that starts.
    void leave() { m_lock.reset(); }

  private:
    QString m_name; // of the files, without their endings
    std::unique_ptr<QLockFile> m_lock;
};

/// Work that a program left behind when it crashed. Nobody else is offered it meanwhile.
struct RecoverableSession {
    QString path; ///< the session file
    Origin origin;
    QDateTime time;
    std::shared_ptr<QLockFile> lock;
};

/// The newest first. What belongs to a running program is not among them.
std::vector<RecoverableSession> abandonedWork();
void remove(const RecoverableSession &work);

} // namespace headlight::ui
