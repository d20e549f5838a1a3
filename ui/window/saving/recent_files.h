// The list of recently opened files and model folders, the newest first.
#pragma once

#include "ui/document/source.h"

#include <QStringList>

namespace headlight::ui {

QStringList recentFiles();
void addRecentFile(const QString &path);
/// Adds the request's source, and remembers which model of a folder it reads, and the expression
/// for its tokens. Forgets the rest of the request.
void addRecentFile(const SourceRequest &opened);
/// Returns the request that reads the path as it was read last. For a source that is not in the
/// list, the request has only the path.
SourceRequest requestOfRecent(const QString &path);
/// Forgets how the path was read last. The path stays in the list.
void forgetRecentChoices(const QString &path);
void removeRecentFile(const QString &path);
void clearRecentFiles();

} // namespace headlight::ui
