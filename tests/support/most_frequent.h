// The colour that most of some pixels have.
#pragma once

#include <QColor>
#include <QHash>

namespace headlight::test {

/// `counts`: how many pixels have each colour.
inline QColor mostFrequent(const QHash<QRgb, int> &counts) {
    QRgb most = 0;
    int times = 0;
    for (auto count = counts.begin(); count != counts.end(); ++count)
        if (count.value() > times) {
            times = count.value();
            most = count.key();
        }
    return QColor(most);
}

} // namespace headlight::test
