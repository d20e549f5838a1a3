// What a figure's file is: its kind, its size, and whether it is whole.
#pragma once

#include <QByteArray>
#include <QSizeF>
#include <QString>

namespace headlight::test {

struct Picture {
    QString problem; ///< empty: the file is a whole one of its format
    QSizeF size;     ///< pixels of a PNG, logical pixels of an SVG or PDF
};

Picture readPicture(const QByteArray &bytes, const QString &format);

} // namespace headlight::test
