#include "app/text_table.h"

#include <algorithm>

namespace headlight::app {

QString inColumns(const QList<QStringList> &rows, qsizetype names) {
    QString text;
    for (const QStringList &row : rows) {
        QString line;
        for (qsizetype column = 0; column < row.size(); ++column) {
            qsizetype width = 0;
            for (const QStringList &other : rows)
                width = std::max(width, other[column].size());
            line += column == 0 ? "" : "  ";
            line += column < names ? row[column].leftJustified(width)
                                   : row[column].rightJustified(width);
        }
        text += line + '\n';
    }
    return text;
}

} // namespace headlight::app
