#include "picture.h"

#include <QImage>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QXmlStreamReader>

namespace headlight::test {

namespace {

Picture readPng(const QByteArray &bytes) {
    if (!bytes.startsWith("\x89PNG\r\n\x1a\n") || !bytes.endsWith("IEND\xae\x42\x60\x82"))
        return {"it does not begin and end as a PNG", {}};
    const QImage image = QImage::fromData(bytes, "png");
    return {image.isNull() ? "it cannot be decoded" : "", image.size()};
}

Picture readSvg(const QByteArray &bytes) {
    QXmlStreamReader xml(bytes);
    QSizeF size;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement &&
            xml.name() == QStringLiteral("svg")) {
            const QStringList box = xml.attributes().value("viewBox").toString().split(' ');
            if (box.size() == 4)
                size = QSizeF(box[2].toDouble(), box[3].toDouble());
        }
    if (xml.hasError())
        return {"it is not well-formed: " + xml.errorString(), {}};
    return {QSvgRenderer(bytes).isValid() ? "" : "it is not an SVG", size};
}

Picture readPdf(const QByteArray &bytes) {
    if (!bytes.startsWith("%PDF-") || !bytes.trimmed().endsWith("%%EOF"))
        return {"it does not begin and end as a PDF", {}};
    const qsizetype start = bytes.lastIndexOf("startxref");
    const qsizetype table = bytes.mid(start + 9).simplified().split(' ').first().toLongLong();
    if (start < 0 || !bytes.mid(table).startsWith("xref"))
        return {"its table of objects is not where it says", {}};
    static const QRegularExpression box(R"(/MediaBox \[0(?:\.0*)? 0(?:\.0*)? ([\d.]+) ([\d.]+)\])");
    const auto match = box.match(QString::fromLatin1(bytes));
    if (!match.hasMatch())
        return {"it has no page", {}};
    return {"", QSizeF(match.captured(1).toDouble(), match.captured(2).toDouble()) * 96 / 72};
}

} // namespace

Picture readPicture(const QByteArray &bytes, const QString &format) {
    if (bytes.isEmpty())
        return {"it is empty", {}};
    if (format == "png")
        return readPng(bytes);
    return format == "svg" ? readSvg(bytes) : readPdf(bytes);
}

} // namespace headlight::test
