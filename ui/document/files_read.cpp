#include "ui/document/files_read.h"

#include "core/formats/files/inputs.h"
#include "core/formats/pretrained/pretrained_folder.h"
#include "ui/document/document.h"
#include "ui/text/file_path.h"

namespace headlight::ui {

namespace {

void addFiles(std::vector<std::string> &files, const QString &source,
              const core::Session &session) {
    const SourceKind kind = kindOfSource(source);
    if (kind != SourceKind::Lesson && kind != SourceKind::Unknown)
        files.push_back(bytesOf(source));
    if (session.pretrained)
        files.push_back(session.pretrained->path);
    if (session.capture)
        files.push_back(session.capture->path);
}

} // namespace

std::vector<std::string> filesReadBy(const OpenedSource &opened) {
    std::vector<std::string> files;
    addFiles(files, opened.source, opened.session);
    files.insert(files.end(), opened.importedFiles.begin(), opened.importedFiles.end());
    return files;
}

std::vector<std::string> filesReadBy(const Document &document) {
    std::vector<std::string> files;
    addFiles(files, document.source(), document.session());
    files.insert(files.end(), document.importedFiles().begin(), document.importedFiles().end());
    if (const std::optional<SideA> &a = document.comparison().a())
        addFiles(files, a->source, a->session);
    return files;
}

core::Outcome mayWrite(const Document &document, const QString &path, Saves saves) {
    // Allowed even if the session file is inside the model's folder.
    if (saves == Saves::TheDocument && kindOfSource(document.source()) == SourceKind::Session &&
        core::isSameFile(bytesOf(path), bytesOf(document.source())))
        return core::Done{};
    return core::notAnInput(bytesOf(path), filesReadBy(document));
}

} // namespace headlight::ui
