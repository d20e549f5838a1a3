// A table as plain text.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace headlight::app {

/// One line per row, all of as many cells; two spaces between columns. The first `names` columns
/// are aligned left, the numbers after them right.
QString inColumns(const QList<QStringList> &rows, qsizetype names);

} // namespace headlight::app
