// A table as plain text.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace headlight::app {

/// Formats one line per row, with two spaces between columns. All rows have the same number of
/// cells. The first `names` columns are left-aligned, the others right-aligned.
QString inColumns(const QList<QStringList> &rows, qsizetype names);

} // namespace headlight::app
