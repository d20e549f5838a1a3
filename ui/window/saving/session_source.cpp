#include "ui/window/saving/session_source.h"

#include "ui/text/file_path.h"

namespace headlight::ui {

SessionSource::SessionSource(const QString &path, FileIdentity identity)
    : m_path(bytesOf(path)), m_identity(std::move(identity)) {}

core::Outcome SessionSource::check() const {
    const std::scoped_lock lock(m_mutex);
    core::FileStamp now;
    if (core::stampAt(m_path, now) != 0)
        return core::Done{};
    if (now != m_looked) {
        const std::optional<FileIdentity> there = identityOnDisk(pathOf(m_path));
        m_isSame = !there || *there == m_identity;
        m_looked = now;
    }
    if (!m_isSame)
        return core::changedFile(core::FileChange::Written, m_path);
    return core::Done{};
}

} // namespace headlight::ui
