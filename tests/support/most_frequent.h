// The most frequent colour of some pixels.
#pragma once

#include <QColor>
#include <QHash>

namespace headlight::test {

/// Returns the colour with the largest count. `counts` has the number of pixels of each colour.
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
