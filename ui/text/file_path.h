// Conversion of file names between Qt text and the system's bytes, which need not be UTF-8. Qt's
// own conversion loses such bytes, so QFile and QFileInfo cannot find the file.
#pragma once

#include <QString>

#include <string>
#include <string_view>

namespace headlight::ui {

/// Encodes each byte that is not UTF-8 as a lone surrogate, like Python: 0xE9 becomes U+DCE9.
QString pathOf(std::string_view bytes);

/// Returns the original bytes of a path.
std::string bytesOf(const QString &path);

/// Returns the index of the first byte that is not UTF-8, or −1.
qsizetype undecodedByte(const QString &path);

/// Replacements for QFileInfo, which cannot find files whose names are not UTF-8. They follow
/// symbolic links.
bool pathExists(const QString &path);
bool isFolder(const QString &path);
QString absolutePath(const QString &path);
/// Resolves symbolic links. Empty if the file does not exist.
QString canonicalPath(const QString &path);

} // namespace headlight::ui
