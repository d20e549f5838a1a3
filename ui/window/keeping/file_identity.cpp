#include "ui/window/keeping/file_identity.h"

#include <QCryptographicHash>
#include <QFile>

namespace headlight::ui {

FileIdentity identityOf(std::string_view bytes) {
    const QByteArray view =
        QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size()));
    return {view.size(), QCryptographicHash::hash(view, QCryptographicHash::Sha256)};
}

std::optional<FileIdentity> identityOnDisk(const QString &path) {
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file))
        return std::nullopt;
    return FileIdentity{file.size(), hash.result()};
}

} // namespace headlight::ui
