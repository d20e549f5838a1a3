// What the rows and columns of a stage are called: tokens of one sequence or of two, words,
// classes, dimensions.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <QStringList>

namespace headlight::ui {

/// A token as it is shown: line breaks and other control characters become visible signs.
QString tokenText(const std::string &token);
/// The tokens of a sequence as they are shown.
QStringList tokensOf(const core::Batch &batch, core::Index sequence);
/// Of a sequence that attends.
QStringList tokensOf(const core::Trace &trace, core::Index sequence);

/// The tokens that attend at the selection, and those attended to: of cross-attention another
/// sequence's.
QStringList queryTokens(const core::Trace &trace, const core::Selection &selection);
QStringList keyTokens(const core::Trace &trace, const core::Selection &selection);

/// One a row of the selection's stage: tokens, or of a classifier the numbers of sequences.
QStringList rowNames(const core::Trace &trace, const core::Selection &selection);
/// The same beside a heatmap's rows, as "read → written" where readsAndWrites().
QStringList rowLabels(const core::Trace &trace, const core::Selection &selection);
/// One a column: keys, words, or numbers.
QStringList columnNames(const core::Trace &trace, const core::Selection &selection,
                        core::Index columns);

/// Whose tokens the rows of the stage are.
const core::Batch &rowBatch(const core::Trace &trace, core::Stage stage,
                            core::AttentionId attention);

/// The model writes the next token, so that the row of a token is where that token is read. Not
/// where the rows are keys, or the tokens' own embeddings.
bool readsAndWrites(const core::Trace &trace, core::Stage stage, core::AttentionId attention);

/// What stands beside the rows and over the columns: "query" and "key".
struct AxisNames {
    QString rows;
    QString columns;
};
AxisNames axesOf(const core::Trace &trace, core::Stage stage, core::AttentionId attention);

/// A word of the vocabulary; its number where there is none.
QString wordName(const core::Model &model, core::Index word);

/// The same as rowNames(), columnNames() and wordName() of one, with the id of a word that reads as
/// another one does: for words beside a figure, which has no room for it.
QString rowNameWithId(const core::Trace &trace, const core::Selection &selection, core::Index row);
QString keyNameWithId(const core::Trace &trace, const core::Selection &selection, core::Index key);
QString wordNameWithId(const core::Model &model, core::Index word);

} // namespace headlight::ui
