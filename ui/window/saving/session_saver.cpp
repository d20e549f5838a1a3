#include "ui/window/saving/session_saver.h"

#include "core/formats/files/atomic_file.h"
#include "core/formats/files/file_stamp.h"
#include "ui/document/files_read.h"
#include "ui/text/core_message.h"
#include "ui/text/file_path.h"

#include <filesystem>
#include <mutex>

namespace headlight::ui {

namespace {

/// Returns an absolute path, because another run may start in another folder.
QString wholeSource(const QString &source) {
    const SourceKind kind = kindOfSource(source);
    return kind == SourceKind::Session || kind == SourceKind::Figure ||
                   kind == SourceKind::Capture || kind == SourceKind::ModelFolder ||
                   kind == SourceKind::CourseLesson
               ? absolutePath(source)
               : source;
}

std::string folderOf(const QString &path) {
    return std::filesystem::path(bytesOf(absolutePath(path))).parent_path().string();
}

/// The session file for the file watch. It counts as changed only if its content differs, however
/// often it was written or touched.
class SessionSource final : public core::NumberSource {
  public:
    SessionSource(const QString &path, FileIdentity identity)
        : m_path(bytesOf(path)), m_identity(std::move(identity)) {}

    const std::string &path() const override { return m_path; }
    /// A deleted file is not a change, because the window has all data and saving writes the file
    /// again.
    core::Outcome check() const override {
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

  private:
    std::string m_path;
    FileIdentity m_identity;
    mutable std::mutex m_mutex;
    // Stamp of the file when it was last read; guarded by m_mutex.
    mutable core::FileStamp m_looked{};
    mutable bool m_isSame = true; // result of the last comparison; guarded by m_mutex
};

} // namespace

SessionSaver::SessionSaver(Document &document, std::function<QString()> view, QObject *parent)
    : QObject(parent),
      m_document(document),
      m_view(view),
      m_autosave(
          document, [this] { return origin(); }, std::move(view)) {
    connect(&document, &Document::changed, this, [this](const ChangeEvent &event) {
        if (!is<SessionChanged>(event))
            return;
        // Only a pure session file may be overwritten.
        const FileIdentity read = identityOf(m_document.session().json);
        m_file.reset();
        if (kindOfSource(m_document.source()) == SourceKind::Session &&
            identityOnDisk(m_document.source()) == read)
            m_file = read;
    });
}

QString SessionSaver::path() const {
    return m_file ? m_document.source() : QString();
}

core::NumberSourcePointer SessionSaver::source() const {
    return m_file ? std::make_shared<const SessionSource>(m_document.source(), *m_file) : nullptr;
}

Origin SessionSaver::origin() const {
    return {wholeSource(m_document.source()), m_file};
}

bool SessionSaver::hasChangedOnDisk() const {
    return m_file && pathExists(m_document.source()) &&
           identityOnDisk(m_document.source()) != m_file;
}

core::Outcome SessionSaver::save(const QString &path) {
    // Reject the name, because Headlight could not open such a session again, and an existing
    // picture would be lost.
    const SourceKind kind = kindOfSource(path);
    const bool isGguf = kind == SourceKind::ModelFolder && !isFolder(path);
    if (kind == SourceKind::Figure || kind == SourceKind::Capture || kind == SourceKind::Course ||
        kind == SourceKind::CourseLesson || isGguf)
        return core::Error{messageOf(tr("this name has the extension of another kind of file")),
                           bytesOf(path), messageOf(tr("use a name that ends with .headlight"))};
    if (core::Outcome allowed = mayWrite(m_document, path, Saves::TheDocument); !allowed)
        return allowed;
    Snapshot snapshot = m_document.snapshot(m_view());
    if (snapshot.state.lesson || (m_isWritingLesson && m_isWritingLesson()))
        snapshot = snapshot.atFirstStep();
    const std::string bytes = snapshot.bytes(folderOf(path));
    if (core::Outcome written =
            core::writeFile(bytesOf(path), bytes, core::OverwritePolicy::RegularFile);
        !written)
        return written;
    m_file = identityOf(bytes);
    m_document.setSaved(path);
    return core::Done{};
}

void SessionSaver::setRecovered(const Origin &origin) {
    m_file = origin.file;
    m_document.setUnsaved();
}

} // namespace headlight::ui
