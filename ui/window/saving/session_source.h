// Session file for the file watch. It counts as changed only if its content differs, however often
// it was written or touched.
#pragma once

#include "core/formats/files/file_stamp.h"
#include "ui/window/saving/file_identity.h"

#include <mutex>

namespace headlight::ui {

class SessionSource final : public core::NumberSource {
  public:
    SessionSource(const QString &path, FileIdentity identity);

    const std::string &path() const override { return m_path; }
    /// A deleted file is not a change: the window has everything, and saving writes it again.
    core::Outcome check() const override;

  private:
    std::string m_path;
    FileIdentity m_identity;
    mutable std::mutex m_mutex;
    mutable core::FileStamp m_looked{}; // when the file was last read; guarded by m_mutex
    mutable bool m_isSame = true;       // result of that comparison; guarded by m_mutex
};

} // namespace headlight::ui
