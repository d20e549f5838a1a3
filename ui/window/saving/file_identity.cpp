#include "ui/window/saving/file_identity.h"

#include "core/formats/files/regular_file.h"
#include "ui/text/file_path.h"

#include <QCryptographicHash>
#include <QFile>

namespace headlight::ui {

FileIdentity identityOf(std::string_view bytes) {
    const QByteArray view =
        QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size()));
    return {view.size(), QCryptographicHash::hash(view, QCryptographicHash::Sha256)};
}

std::optional<FileIdentity> identityOnDisk(const QString &path) {
    const core::Result<core::RegularFile> opened = core::openRegularFile(bytesOf(path));
    QFile file;
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!opened || !file.open(opened->descriptor.number(), QIODevice::ReadOnly) ||
        !hash.addData(&file))
        return std::nullopt;
    return FileIdentity{static_cast<qint64>(opened->size), hash.result()};
}

} // namespace headlight::ui
