#include "app/text_table.h"

#include <algorithm>

namespace headlight::app {

QString inColumns(const QList<QStringList> &rows, qsizetype names) {
    QList<qsizetype> widths;
    for (const QStringList &row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (qsizetype column = 0; column < row.size(); ++column)
            widths[column] = std::max(widths[column], row[column].size());
    }
    QString text;
    for (const QStringList &row : rows) {
        QString line;
        for (qsizetype column = 0; column < row.size(); ++column) {
            line += column == 0 ? "" : "  ";
            line += column < names ? row[column].leftJustified(widths[column])
                                   : row[column].rightJustified(widths[column]);
        }
        text += line + '\n';
    }
    return text;
}

} // namespace headlight::app
