// The names of files between Qt, which has text, and the system, which has bytes that need not be
// UTF-8. Qt's own conversion loses such bytes: QFile and QFileInfo cannot find the file then.
#pragma once

#include <QString>

#include <string>
#include <string_view>

namespace headlight::ui {

/// Each byte that is not UTF-8 becomes a lone surrogate, as in Python: 0xE9 becomes U+DCE9.
QString pathOf(std::string_view bytes);

/// The bytes of a path, whatever they were.
std::string bytesOf(const QString &path);

/// Where the first byte stands that is not UTF-8; −1: nowhere.
qsizetype undecodedByte(const QString &path);

/// For the names that QFileInfo cannot find. A link counts as what it leads to.
bool pathExists(const QString &path);
bool isFolder(const QString &path);
QString absolutePath(const QString &path);
/// Without links; empty: there is no such file.
QString canonicalPath(const QString &path);

} // namespace headlight::ui
