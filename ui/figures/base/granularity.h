// Names of the granularities, which define how far one step of the computation advances.
#pragma once

#include "core/selection/view_options.h"

#include <QString>

namespace headlight::ui {

using core::Granularity;

/// Returns the name used in settings: "stage", "row", "cell".
QString nameOf(Granularity granularity);
/// Returns Stage for unknown names.
Granularity granularityOf(const QString &name);

} // namespace headlight::ui
