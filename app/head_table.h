// Prints a table with a row for each head as text.
#pragma once

#include "core/analysis/head_table.h"

#include <QString>

namespace headlight::app {

using core::HeadRow;
using core::HeadTable;
using core::jsonNumberOf;

/// Formats columns of text, with "—" for unset values. The stack and the block are only shown if
/// the model has several.
QString textOf(const HeadTable &table);

} // namespace headlight::app
