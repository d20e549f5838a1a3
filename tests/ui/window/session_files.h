// Session files on disk, for tests of saving.
#pragma once

#include "tests/support/opened.h"
#include "ui/document/lesson_catalogue.h"

#include <QtEndian>

namespace headlight::test {

inline QByteArray readAll(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void writeAll(const QString &path, const QByteArray &bytes) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
}

/// Sets the file's time back, so that later writes get a different time even on coarse clocks.
inline void age(const QString &path) {
    const std::filesystem::path file = path.toStdString();
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) -
                                               std::chrono::seconds(2));
}

/// Writes a capture of attention weights, [heads, length, length] in each layer. All weights are 0
/// and take no space on the disk. Returns their offset in the file.
inline qint64 writeHoles(const QString &path, qint64 layers, qint64 heads, qint64 length) {
    const qint64 layer = heads * length * length * 4;
    QStringList tensors;
    for (qint64 i = 0; i < layers; ++i)
        tensors << QString(R"("attentions.%1":{"dtype":"F32","shape":[%2,%3,%3],)"
                           R"("data_offsets":[%4,%5]})")
                       .arg(i)
                       .arg(heads)
                       .arg(length)
                       .arg(i * layer)
                       .arg((i + 1) * layer);
    const QByteArray header = '{' + tensors.join(',').toUtf8() + '}';
    QByteArray size(8, '\0');
    qToLittleEndian(static_cast<quint64>(header.size()), size.data());
    writeAll(path, size + header);
    const qint64 data = size.size() + header.size();
    QFile::resize(path, data + layers * layer);
    age(path);
    return data;
}

/// Copies the files of a folder, so that they can be written.
inline void copyFolder(const QString &from, const QString &to) {
    for (const QString &each : QDir(from).entryList(QDir::Files))
        writeAll(to + '/' + each, readAll(from + '/' + each));
}

/// Writes a lesson without its steps, as the user's session.
inline QString sessionFile(const QString &folder, const QString &name = "own.headlight") {
    QJsonObject json = QJsonDocument::fromJson(ui::lessonFile("cat")).object();
    json.remove("lesson");
    const QString path = folder + '/' + name;
    writeAll(path, QJsonDocument(json).toJson());
    return path;
}

/// Returns the text of a session file's current state.
inline QString textIn(const QString &path) {
    return QString::fromStdString((*opened(path).state.input.batch)[0].text);
}

} // namespace headlight::test
