// A session's file among those that are watched: it is another one when its content is, however
// often it was written or touched.
#pragma once

#include "core/formats/files/file_stamp.h"
#include "ui/window/saving/file_identity.h"

#include <mutex>

namespace headlight::ui {

class SessionSource final : public core::NumberSource {
  public:
    SessionSource(const QString &path, FileIdentity identity);

    const std::string &path() const override { return m_path; }
    /// A file that is gone is no change: all of it is in the window, and saving writes it.
    core::Outcome check() const override;

  private:
    std::string m_path;
    FileIdentity m_identity;
    mutable std::mutex m_mutex;
    mutable core::FileStamp m_looked{}; // when it was read last; guarded by m_mutex
    mutable bool m_isSame = true;       // and whether it was the same
};

} // namespace headlight::ui
