#include "ui/window/saving/session_saver.h"

#include "core/formats/files/atomic_file.h"
#include "ui/document/files_read.h"
#include "ui/text/core_message.h"
#include "ui/text/file_path.h"
#include "ui/window/saving/session_source.h"

#include <filesystem>

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
    // Headlight could not open a session with this name again, and a picture there would be lost.
    const SourceKind kind = kindOfSource(path);
    if (kind == SourceKind::Figure || kind == SourceKind::Capture || kind == SourceKind::Course ||
        kind == SourceKind::CourseLesson)
        return core::Error{messageOf(tr("this name has the ending of another kind of file")),
                           bytesOf(path), messageOf(tr("give a name that ends with .headlight"))};
    if (core::Outcome allowed = mayWrite(m_document, path, Saves::TheDocument); !allowed)
        return allowed;
    const std::string bytes = m_document.snapshot(m_view()).bytes(folderOf(path));
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
