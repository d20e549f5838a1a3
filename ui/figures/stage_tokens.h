// What the rows and columns of a stage are called: tokens by the sequence they belong to, what is
// read and what is written, words, classes.
#pragma once

#include "core/transformer/selection.h"
#include "core/transformer/trace.h"

#include <QStringList>

namespace headlight::ui {

/// The tokens of the sequences that attend, or of an only stack, as they are shown.
QStringList tokensOf(const core::Trace &trace, core::Index sequence);
QStringList tokensOf(const core::Batch &batch, core::Index sequence);

/// Whose tokens the rows of the stage are. Keys and values: those attended to.
const core::Batch &rowBatch(const core::Trace &trace, core::Stage stage, core::Site site);

/// The rows are sequences of the batch, not tokens of one.
bool rowsAreSequences(core::Stage stage);

/// The model writes the next token, so that the row of a token is where that token is read: the
/// rows are named "read → written". Not where the rows are keys, or the tokens' own embeddings.
bool readsAndWrites(const core::Trace &trace, core::Stage stage, core::Site site);

/// Tokens; "read → written" where the model writes; sequences.
QStringList rowNames(const core::Trace &trace, const core::Selection &selection);
/// Keys; words of the vocabulary; numbers of dimensions and classes.
QStringList columnNames(const core::Trace &trace, const core::Selection &selection,
                        core::Index count);

/// What stands beside the rows and over the columns: "query" and "key".
struct AxisNames {
    QString rows;
    QString columns;
};
AxisNames axesOf(const core::Trace &trace, core::Stage stage, core::Site site);

} // namespace headlight::ui
