// What the rows and columns of a stage are called: tokens of one sequence or of two, words,
// classes, dimensions.
#pragma once

#include "core/transformer/selection.h"
#include "core/transformer/trace.h"

#include <QStringList>

namespace headlight::ui {

/// The tokens of a sequence as they are shown.
QStringList tokensOf(const core::Batch &batch, core::Index sequence);

/// The tokens that attend at the selection, and those attended to: of cross-attention another
/// sequence's.
QStringList queryTokens(const core::Trace &trace, const core::Selection &selection);
QStringList keyTokens(const core::Trace &trace, const core::Selection &selection);

/// One a row of the selection's stage: tokens, or of a classifier the numbers of sequences.
QStringList rowNames(const core::Trace &trace, const core::Selection &selection);
/// One a column: keys, words, or numbers.
QStringList columnNames(const core::Trace &trace, const core::Selection &selection,
                        core::Index columns);

/// A word of the vocabulary; its number where there is none.
QString wordName(const core::Model &model, core::Index word);

} // namespace headlight::ui
