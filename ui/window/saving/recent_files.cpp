#include "ui/window/saving/recent_files.h"

#include "ui/text/file_path.h"

#include <QSettings>

namespace headlight::ui {

namespace {

constexpr char kKey[] = "sessions/recent";
constexpr qsizetype kMaxFiles = 9;

} // namespace

QStringList recentFiles() {
    return QSettings().value(kKey).toStringList();
}

void addRecentFile(const QString &path) {
    const QString whole = absolutePath(path);
    QStringList files = recentFiles();
    files.removeAll(whole);
    files.prepend(whole);
    QSettings().setValue(kKey, files.first(std::min(kMaxFiles, files.size())));
}

void removeRecentFile(const QString &path) {
    QStringList files = recentFiles();
    files.removeAll(path);
    QSettings().setValue(kKey, files);
}

void clearRecentFiles() {
    QSettings().remove(kKey);
}

} // namespace headlight::ui
