// How far one step of the computation goes.
#pragma once

#include <QString>

namespace headlight::ui {

enum class Granularity { Stage, Row, Cell };

/// "stage", "row", "cell", as the settings write it.
QString nameOf(Granularity granularity);
/// Stage for any other name.
Granularity granularityOf(const QString &name);

} // namespace headlight::ui
