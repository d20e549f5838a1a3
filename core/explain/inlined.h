// Replaces the unnamed steps that a meaning reads with their own meanings, because lines can refer
// only to stages.
#pragma once

#include "core/explain/meaning.h"

namespace headlight::core {

/// The unnamed steps to replace: all, or only steps that add or scale single values.
enum class Inline { EachNumber, All };

/// Returns the meaning of a slice, with unnamed steps replaced and their remarks on the formula
/// added. The slice must read them at its own row and column.
Meaning inlinedMeaning(const Trace &trace, Index sequence, const Slice &made, Inline which);

/// True if the expression still reads an unnamed step.
bool readsUnnamed(const Plan &plan, const Expression &x);

} // namespace headlight::core
