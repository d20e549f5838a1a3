// A cell in words and with its whole value: what hovering says, and what a screen reader reads.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"
#include "ui/compare/compared.h"

#include <QString>

namespace headlight::ui {

/// The cell of the selection's stage, sequence, layer and head at (row, column), such as "bank
/// attends to money: 0.4123". The value is the trace's own, in as many digits as it has. Empty
/// where the stage has no such cell.
QString cellWords(const core::Trace &trace, const core::Selection &selection, core::Index row,
                  core::Index column);

/// The same of the side that is shown: "bank → money: now 0.4123, A 0.1, change +0.3123"; why there
/// is no such cell where the two cannot be compared.
QString cellWords(const core::Trace &trace, const core::Selection &selection,
                  const Compared &compared, core::Index row, core::Index column);

} // namespace headlight::ui
