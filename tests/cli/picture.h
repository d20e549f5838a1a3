// Reads a figure file: its format, its size, and whether it is complete.
#pragma once

#include <QByteArray>
#include <QSizeF>
#include <QString>

namespace headlight::test {

struct Picture {
    QString problem; ///< empty if the file is complete and valid
    QSizeF size;     ///< pixels of a PNG, logical pixels of an SVG or PDF
};

Picture readPicture(const QByteArray &bytes, const QString &format);

} // namespace headlight::test
