#include "ui/text/file_path.h"

#include "core/tokenizers/text/unicode.h"

#include <QByteArray>

#include <filesystem>

namespace headlight::ui {

namespace {

constexpr ushort kUndecoded = 0xDC00; // plus a byte of at least 0x80

bool isUndecoded(QChar c) {
    return c.unicode() >= kUndecoded + 0x80 && c.unicode() <= kUndecoded + 0xFF;
}

/// True for a lone low surrogate, which encodes an undecodable byte.
bool isUndecoded(const QString &path, qsizetype i) {
    return isUndecoded(path[i]) && (i == 0 || !path[i - 1].isHighSurrogate());
}

} // namespace

QString pathOf(std::string_view bytes) {
    QString path;
    while (true) {
        const auto bad = core::firstInvalidByte(bytes);
        const std::size_t good = bad ? static_cast<std::size_t>(*bad) : bytes.size();
        path += QString::fromUtf8(bytes.data(), static_cast<qsizetype>(good));
        if (!bad)
            return path;
        path += QChar(static_cast<ushort>(kUndecoded + static_cast<unsigned char>(bytes[good])));
        bytes.remove_prefix(good + 1);
    }
}

std::string bytesOf(const QString &path) {
    std::string bytes;
    qsizetype begin = 0;
    for (qsizetype i = 0; i <= path.size(); ++i) {
        if (i < path.size() && !isUndecoded(path, i))
            continue;
        bytes += path.mid(begin, i - begin).toStdString();
        if (i < path.size())
            bytes += static_cast<char>(path[i].unicode() - kUndecoded);
        begin = i + 1;
    }
    return bytes;
}

qsizetype undecodedByte(const QString &path) {
    const auto bad = core::firstInvalidByte(bytesOf(path));
    return bad ? static_cast<qsizetype>(*bad) : -1;
}

bool pathExists(const QString &path) {
    std::error_code code;
    return std::filesystem::exists(bytesOf(path), code);
}

bool isFolder(const QString &path) {
    std::error_code code;
    return std::filesystem::is_directory(bytesOf(path), code);
}

QString absolutePath(const QString &path) {
    std::error_code code;
    const std::filesystem::path whole = std::filesystem::absolute(bytesOf(path), code);
    return code ? path : pathOf(whole.lexically_normal().native());
}

QString canonicalPath(const QString &path) {
    std::error_code code;
    const std::filesystem::path whole = std::filesystem::canonical(bytesOf(path), code);
    return code ? QString() : pathOf(whole.native());
}

} // namespace headlight::ui
