#include "tests/monkey/other_program.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <filesystem>

namespace headlight::test {

namespace {

QByteArray contentOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Overwrites the file in place, so that programs that have it open see the change.
void writeInPlace(const QString &path, const QByteArray &bytes) {
    QFile file(path);
    if (!file.open(QIODevice::ReadWrite) || !file.resize(bytes.size()) ||
        file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
}

/// Replaces the file with another one, as editors and downloads do.
void replace(const QString &path, const QByteArray &bytes) {
    const QString other = path + ".other";
    QFile::remove(other);
    writeInPlace(other, bytes);
    std::filesystem::rename(other.toStdString(), path.toStdString());
}

/// Returns bytes that are still valid but differ: other digits in text, or other low bits in
/// floats.
QByteArray withOtherNumbers(QByteArray bytes, Dice &dice) {
    const bool isText = !bytes.contains('\0');
    const qsizetype begin = isText ? 0 : bytes.size() / 2 / 4 * 4;
    for (int i = dice.between(1, 40); i > 0 && begin < bytes.size(); --i) {
        qsizetype at = begin + dice.below(bytes.size() - begin);
        if (!isText)
            bytes[at / 4 * 4] = static_cast<char>(dice.below(256));
        else if (bytes[at] >= '1' && bytes[at] <= '9')
            bytes[at] = static_cast<char>('1' + dice.below(9));
    }
    return bytes;
}

/// Sets one number of the tensors to NaN.
QByteArray withNan(QByteArray bytes, Dice &dice) {
    if (bytes.size() < 8 || !bytes.contains('\0'))
        return bytes;
    const qsizetype half = bytes.size() / 2;
    const qsizetype at = (half + dice.below(bytes.size() - half - 4)) / 4 * 4;
    return bytes.replace(at, 4, QByteArray("\0\0\xC0\x7F", 4));
}

QByteArray garbage(qsizetype size, Dice &dice) {
    QByteArray bytes(size, '\0');
    for (char &byte : bytes)
        byte = static_cast<char>(dice.below(256));
    return bytes;
}

} // namespace

OtherProgram::OtherProgram(QString folder) : m_folder(std::move(folder)) {}

QByteArray OtherProgram::config() const {
    return contentOf(m_folder + "/llama/config.json");
}

QStringList OtherProgram::files() const {
    const QDir folder(m_folder), model(folder.filePath("llama"));
    QStringList all;
    for (const QString &name : folder.entryList({"*.headlight", "*.safetensors"}, QDir::Files))
        if (name != "check.headlight") // the monkey itself uses this file
            all << folder.filePath(name);
    for (const char *name : {"model.safetensors", "config.json"})
        all << model.filePath(name);
    for (const auto &[path, content] : m_before)
        all << path; // includes deleted files
    all.sort();
    all.removeDuplicates();
    return all;
}

QString OtherProgram::choose(const QStringList &open, Dice &dice) {
    QStringList shown;
    for (const QString &file : files())
        if (open.contains(file) || open.contains(QFileInfo(file).path()))
            shown << file;
    return !shown.isEmpty() && !dice.outOf(4) ? dice.of(shown) : dice.of(files());
}

QString OtherProgram::meddle(const QStringList &open, Dice &dice) {
    const QString path = choose(open, dice);
    const QString name = QDir(m_folder).relativeFilePath(path);
    const QByteArray now = contentOf(path);
    const auto known = m_before.try_emplace(path, now).first;
    if (const QByteArray &before = known->second; now != before && !dice.outOf(2)) {
        const bool inPlace = dice.outOf(2);
        inPlace ? writeInPlace(path, before) : replace(path, before);
        return QString("another program puts %1 back%2").arg(name, inPlace ? " in place" : "");
    }
    switch (dice.below(9)) {
    case 0: {
        const int size = dice.below(now.size() + 1);
        QFile::resize(path, size);
        return QString("another program cuts %1 to %2 bytes").arg(name).arg(size);
    }
    case 1:
        writeInPlace(path, withOtherNumbers(now, dice));
        return QString("another program writes other numbers into %1").arg(name);
    case 2:
        replace(path, withOtherNumbers(now, dice));
        return QString("another program replaces %1 by other numbers").arg(name);
    case 3:
        replace(path, now);
        return QString("another program replaces %1 by a copy").arg(name);
    case 4:
        QFile::remove(path);
        return QString("another program deletes %1").arg(name);
    case 5: {
        QFile file(path);
        if (file.open(QIODevice::ReadWrite))
            file.setFileTime(QDateTime::currentDateTime(), QFileDevice::FileModificationTime);
        return QString("another program touches %1").arg(name);
    }
    case 6:
        if (QFile::rename(path, path + ".away"))
            QFile::rename(path + ".away", path);
        return QString("another program moves %1 away and back").arg(name);
    case 7:
        writeInPlace(path, withNan(now, dice));
        return QString("another program writes a NaN into %1").arg(name);
    default:
        writeInPlace(path, garbage(dice.below(now.size() + 1), dice));
        return QString("another program writes garbage into %1").arg(name);
    }
}

} // namespace headlight::test
