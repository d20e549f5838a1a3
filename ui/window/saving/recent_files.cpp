#include "ui/window/saving/recent_files.h"

#include "ui/text/file_path.h"

#include <QSettings>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr char kKey[] = "sessions/recent";
constexpr char kFoldersKey[] = "sessions/recentFolders"; // array of the folders with choices
constexpr qsizetype kMaxFiles = 9;

/// True if the path alone does not determine how to read the source.
bool hasChoices(const SourceRequest &request) {
    return request.tower || request.expression;
}

std::vector<SourceRequest> readFolders() {
    std::vector<SourceRequest> folders;
    QSettings settings;
    const int count = settings.beginReadArray(kFoldersKey);
    for (int index = 0; index < count; ++index) {
        settings.setArrayIndex(index);
        SourceRequest folder;
        folder.source = settings.value("path").toString();
        if (settings.value("pictures").toBool())
            folder.tower = core::Tower::Pictures;
        if (const QVariant expression = settings.value("expression"); expression.isValid())
            folder.expression = expression.toString().toStdString();
        folders.push_back(std::move(folder));
    }
    settings.endArray();
    return folders;
}

void writeFolders(const std::vector<SourceRequest> &folders) {
    QSettings settings;
    settings.remove(kFoldersKey); // a shorter array would keep its old last entries
    if (folders.empty())
        return;
    settings.beginWriteArray(kFoldersKey, static_cast<int>(folders.size()));
    for (std::size_t index = 0; index < folders.size(); ++index) {
        settings.setArrayIndex(static_cast<int>(index));
        settings.setValue("path", folders[index].source);
        if (folders[index].tower == core::Tower::Pictures)
            settings.setValue("pictures", true);
        if (folders[index].expression)
            settings.setValue("expression", QString::fromStdString(*folders[index].expression));
    }
    settings.endArray();
}

/// Returns the saved folders, except this path and folders that are not in `files`.
std::vector<SourceRequest> foldersWithout(const QString &path, const QStringList &files) {
    std::vector<SourceRequest> folders = readFolders();
    std::erase_if(folders, [&](const SourceRequest &each) {
        return each.source == path || !files.contains(each.source);
    });
    return folders;
}

} // namespace

QStringList recentFiles() {
    return QSettings().value(kKey).toStringList();
}

void addRecentFile(const QString &path) {
    SourceRequest plain;
    plain.source = path;
    addRecentFile(plain);
}

void addRecentFile(const SourceRequest &opened) {
    SourceRequest folder;
    folder.source = absolutePath(opened.source);
    folder.tower = opened.tower;
    folder.expression = opened.expression;
    QStringList files = recentFiles();
    files.removeAll(folder.source);
    files.prepend(folder.source);
    files = files.first(std::min(kMaxFiles, files.size()));
    QSettings().setValue(kKey, files);
    std::vector<SourceRequest> folders = foldersWithout(folder.source, files);
    if (hasChoices(folder))
        folders.push_back(std::move(folder));
    writeFolders(folders);
}

SourceRequest requestOfRecent(const QString &path) {
    SourceRequest plain;
    plain.source = path;
    if (kindOfSource(path) != SourceKind::ModelFolder) // the path may be something else by now
        return plain;
    const std::vector<SourceRequest> folders = readFolders();
    const auto folder = std::ranges::find(folders, path, &SourceRequest::source);
    return folder == folders.end() ? plain : *folder;
}

void forgetRecentChoices(const QString &path) {
    writeFolders(foldersWithout(path, recentFiles()));
}

void removeRecentFile(const QString &path) {
    QStringList files = recentFiles();
    files.removeAll(path);
    QSettings().setValue(kKey, files);
    forgetRecentChoices(path);
}

void clearRecentFiles() {
    QSettings().remove(kKey);
    QSettings().remove(kFoldersKey);
}

} // namespace headlight::ui
