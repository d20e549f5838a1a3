// How far one step of the computation goes, by its name.
#pragma once

#include "core/selection/view_options.h"

#include <QString>

namespace headlight::ui {

using core::Granularity;

/// "stage", "row", "cell", as the settings write it.
QString nameOf(Granularity granularity);
/// Stage for any other name.
Granularity granularityOf(const QString &name);

} // namespace headlight::ui
