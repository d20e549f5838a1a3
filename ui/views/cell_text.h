// Description of a cell with its full value, for hovering and for screen readers.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"
#include "ui/compare/compared.h"

#include <QString>

namespace headlight::ui {

/// Describes the cell of the selection's stage, sequence, layer and head at (row, column), for
/// example "bank attends to money: 0.4123". The value comes from the trace, with all digits. Empty
/// if the stage has no such cell.
QString cellText(const core::Trace &trace, const core::Selection &selection, core::Index row,
                 core::Index column);

/// Describes the cell on the shown side of a comparison: "bank → money: now 0.4123, A 0.1, change
/// +0.3123". If the two sides cannot be compared, returns the reason.
QString cellText(const core::Trace &trace, const core::Selection &selection,
                 const Compared &compared, core::Index row, core::Index column);

} // namespace headlight::ui
