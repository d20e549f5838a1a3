#include "ui/window/saving/recovery_folder.h"

#include "core/formats/files/atomic_file.h"
#include "core/formats/files/regular_file.h"
#include "core/formats/files/stale_temporary_files.h"
#include "ui/text/file_path.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <QUuid>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr qint64 kMaxOriginBytes = 64 * 1024;

QString lockOf(const QString &name) {
    return name + ".lock";
}
QString originOf(const QString &name) {
    return name + ".origin";
}
QString sessionOf(const QString &name) {
    return name + ".headlight";
}

std::unique_ptr<QLockFile> makeLock(const QString &name) {
    auto lock = std::make_unique<QLockFile>(lockOf(name));
    lock->setStaleLockTime(0); // the lock is stale if its program has ended, whatever its age
    return lock;
}

core::Outcome writeOrigin(const QString &path, const Origin &origin) {
    QJsonObject json{{"source", origin.source}};
    if (origin.file) {
        json["size"] = origin.file->size;
        json["sha256"] = QString::fromLatin1(origin.file->hash.toHex());
    }
    const QByteArray bytes = QJsonDocument(json).toJson();
    return core::writeFile(path.toStdString(),
                           {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

/// Reads an origin. If the file cannot be read, returns an empty one, as for a new session.
Origin readOrigin(const QString &path) {
    const core::Result<core::RegularFile> opened = core::openRegularFile(path.toStdString());
    QFile file;
    if (!opened || !file.open(opened->descriptor.number(), QIODevice::ReadOnly))
        return {};
    const QJsonObject json = QJsonDocument::fromJson(file.read(kMaxOriginBytes)).object();
    Origin origin{json["source"].toString(), {}};
    if (json.contains("sha256"))
        origin.file = {json["size"].toInteger(),
                       QByteArray::fromHex(json["sha256"].toString().toLatin1())};
    return origin;
}

void removeFiles(const QString &name) {
    QFile::remove(sessionOf(name));
    QFile::remove(originOf(name));
}

} // namespace

QString recoveryFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/recovery";
}

core::Outcome RecoverySlot::claim(const Origin &origin) {
    if (m_lock)
        return core::Done{};
    const QString folder = recoveryFolder();
    QDir().mkpath(folder); // if this fails, locking fails and reports it
    m_name = folder + '/' + QUuid::createUuid().toString(QUuid::WithoutBraces);
    m_lock = makeLock(m_name);
    core::Outcome outcome =
        m_lock->tryLock(0) ? writeOrigin(originOf(m_name), origin)
                           : core::Error{"unsaved work cannot be backed up", folder.toStdString(),
                                         "make the folder writable, or save often"};
    if (!outcome)
        remove();
    return outcome;
}

QString RecoverySlot::path() const {
    return m_lock ? sessionOf(m_name) : QString();
}

void RecoverySlot::remove() {
    if (!m_lock)
        return;
    removeFiles(m_name);
    m_lock.reset(); // also deletes the lock file
}

std::vector<RecoverableSession> abandonedWork() {
    const QDir folder(recoveryFolder());
    core::removeStaleFiles(folder.path().toStdString(), std::chrono::seconds(0));
    std::vector<RecoverableSession> found;
    for (const QFileInfo &file : folder.entryInfoList({"*.headlight"}, QDir::Files, QDir::Time)) {
        const QString name = folder.filePath(file.completeBaseName());
        std::shared_ptr<QLockFile> lock = makeLock(name);
        if (!lock->tryLock(0))
            continue;
        found.push_back(
            {file.filePath(), readOrigin(originOf(name)), file.lastModified(), std::move(lock)});
    }
    return found;
}

void remove(const RecoverableSession &work) {
    const QFileInfo file(work.path);
    removeFiles(file.path() + '/' + file.completeBaseName());
    work.lock->unlock();
}

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
