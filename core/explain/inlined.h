// A meaning in which the unnamed steps that are read are written out, because lines can refer only
// to stages.
#pragma once

#include "core/explain/meaning.h"

namespace headlight::core {

/// Selects the unnamed steps to write out: all, or only sums and scales of single numbers.
enum class Inline { EachNumber, All };

/// Returns the meaning of a part, with unnamed steps written out and their remarks on the formula
/// added. The number must be read at its own row and column.
Meaning inlinedMeaning(const Trace &trace, Index sequence, const Slice &made, Inline which);

/// True if the expression still reads an unnamed step.
bool readsUnnamed(const Plan &plan, const Expression &x);

} // namespace headlight::core
