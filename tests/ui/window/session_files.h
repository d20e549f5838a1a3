// Session files on disk, for tests of saving.
#pragma once

#include "tests/support/opened.h"
#include "ui/document/lesson_catalogue.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

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

/// Writes a lesson without its steps, as the user's own session.
inline QString sessionFile(const QString &folder, const QString &name = "own.headlight") {
    QJsonObject json = QJsonDocument::fromJson(ui::lessonFile("cat")).object();
    json.remove("lesson");
    const QString path = folder + '/' + name;
    writeAll(path, QJsonDocument(json).toJson());
    return path;
}

inline ui::OpenedSource openedFile(const QString &path) {
    ui::SourceRequest request;
    request.source = path;
    core::Result<ui::OpenedSource> result = ui::openSource(request);
    if (!result)
        qFatal("%s", result.error().text().c_str());
    return *std::move(result);
}

/// Returns the text of a session file's current state.
inline QString textIn(const QString &path) {
    return QString::fromStdString((*openedFile(path).state.input.batch)[0].text);
}

} // namespace headlight::test
