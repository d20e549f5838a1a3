// Which bytes a file held when a window read or wrote it: so that it is noticed when somebody else
// has written it since.
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>
#include <string_view>

namespace headlight::ui {

/// By content alone: a file that was only touched is the same.
struct FileIdentity {
    qint64 size = 0;
    QByteArray hash; ///< SHA-256
    bool operator==(const FileIdentity &) const = default;
};

FileIdentity identityOf(std::string_view bytes);
/// Of the file as it is now; none where it cannot be read.
std::optional<FileIdentity> identityOnDisk(const QString &path);

} // namespace headlight::ui
