#include "ui/document/picture_file.h"

#include "core/cancelled.h"
#include "core/formats/files/regular_file.h"
#include "ui/text/file_path.h"

#include <QIODevice>
#include <QImageReader>

#include <algorithm>
#include <cstring>

namespace headlight::ui {

namespace {

// SVG is left out, because it can refer to other files.
constexpr const char *kFormats[] = {"png", "jpg", "jpeg", "bmp", "gif", "ppm"};

constexpr std::uint64_t kMaxBytes = std::uint64_t(256) << 20;

/// Bytes that can no longer be read once a stop is requested. Qt's picture readers cannot be
/// stopped in any other way. The class is not a QBuffer, because Qt may read a QBuffer's bytes
/// directly.
class StoppableBytes : public QIODevice {
  public:
    StoppableBytes(const std::string &bytes, std::stop_token stop)
        : m_bytes(bytes), m_stop(std::move(stop)) {
        open(ReadOnly | Unbuffered);
    }
    qint64 size() const override { return static_cast<qint64>(m_bytes.size()); }
    bool seek(qint64 at) override {
        if (at < 0 || at > size() || !QIODevice::seek(at))
            return false;
        m_at = at;
        return true;
    }

  protected:
    qint64 readData(char *to, qint64 most) override {
        if (m_stop.stop_requested())
            return -1;
        const qint64 count = std::min(most, size() - m_at);
        std::memcpy(to, m_bytes.data() + m_at, static_cast<std::size_t>(count));
        m_at += count;
        return count;
    }
    qint64 writeData(const char *, qint64) override { return -1; }

  private:
    const std::string &m_bytes;
    std::stop_token m_stop;
    qint64 m_at = 0;
};

} // namespace

core::Result<core::Picture> readPicture(const QString &path, const std::stop_token &stop) {
    const auto error = [&](core::Message what, core::Message remedy) {
        return core::Error{std::move(what), bytesOf(path), std::move(remedy)};
    };
    const core::Result<std::string> bytes = core::readRegularFile(
        bytesOf(path), kMaxBytes,
        {{"it is larger than %1 MB", kMaxBytes >> 20}, bytesOf(path), "make it smaller"}, stop);
    if (!bytes)
        return bytes.error();
    StoppableBytes content(*bytes, stop);
    QImageReader reader(&content);
    reader.setDecideFormatFromContent(true);
    const QByteArray format = reader.format();
    if (stop.stop_requested())
        return core::cancelled();
    if (std::ranges::none_of(kFormats, [&](const char *each) { return format == each; }))
        return error("it is not a picture that Headlight reads", "use a PNG or JPEG file");
    const QSize size = reader.size();
    if (size.width() > 0 && size.height() > core::kMaxPicturePixels / size.width())
        return error({"it is %1 × %2 pixels, which is too large", size.width(), size.height()},
                     "make it smaller");
    reader.setAutoTransform(true);
    const QImage read = reader.read();
    if (stop.stop_requested())
        return core::cancelled();
    if (read.isNull())
        return error("the file is damaged, or too large",
                     "download the file again, or make the picture smaller");
    const QImage image = read.convertToFormat(QImage::Format_RGB888);
    core::Picture made = core::plainPicture(image.height(), image.width(), 0, 0, 0);
    const auto rowBytes = static_cast<std::size_t>(image.width()) * 3;
    for (int y = 0; y < image.height(); ++y)
        std::memcpy(made.bytes.data() + static_cast<std::size_t>(y) * rowBytes,
                    image.constScanLine(y), rowBytes);
    return made;
}

bool isPictureFile(const QString &path) {
    return std::ranges::any_of(kFormats, [&](const char *format) {
        return path.endsWith(QLatin1Char('.') + QLatin1String(format), Qt::CaseInsensitive);
    });
}

QString pictureFilePatterns() {
    QStringList patterns;
    for (const char *format : kFormats)
        patterns << QStringLiteral("*.") + QLatin1String(format);
    return patterns.join(QLatin1Char(' '));
}

} // namespace headlight::ui
