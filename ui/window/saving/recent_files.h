// The list of recently opened session files, the newest first.
#pragma once

#include <QStringList>

namespace headlight::ui {

QStringList recentFiles();
void addRecentFile(const QString &path);
void removeRecentFile(const QString &path);
void clearRecentFiles();

} // namespace headlight::ui
