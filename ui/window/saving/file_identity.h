// Identity of a file's content when a window read or wrote it, to detect changes by other programs.
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>
#include <string_view>

namespace headlight::ui {

/// Compares content only: a touched file is equal.
struct FileIdentity {
    qint64 size = 0;
    QByteArray hash; ///< SHA-256
    bool operator==(const FileIdentity &) const = default;
};

FileIdentity identityOf(std::string_view bytes);
/// Returns the identity of the current file; empty if it cannot be read.
std::optional<FileIdentity> identityOnDisk(const QString &path);

} // namespace headlight::ui
