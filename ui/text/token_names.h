// Names of a stage's rows and columns: tokens of one or two sequences, vocabulary words, classes,
// dimensions.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <QStringList>

namespace headlight::ui {

/// Returns a token for display. Line breaks and other control characters are replaced by visible
/// signs.
QString tokenText(const std::string &token);
/// Returns the tokens of a sequence for display.
QStringList tokensOf(const core::Batch &batch, core::Index sequence);
/// Returns the tokens of an attending (query) sequence.
QStringList tokensOf(const core::Trace &trace, core::Index sequence);

/// Returns the sequence's text as typed, or its tokens joined by spaces, for a text field.
QString shownTextOf(const core::Sequence &sequence);

/// Names a sequence of a batch for the user: "sentence 1" for the first. Files and the command line
/// count from 0.
QString sentenceName(core::Index sequence);

/// Return the tokens that attend at the selection, and the tokens attended to. With
/// cross-attention the keys are from another sequence.
QStringList queryTokens(const core::Trace &trace, const core::Selection &selection);
QStringList keyTokens(const core::Trace &trace, const core::Selection &selection);

/// Returns the name of the column with the weights of a head's sink.
QString sinkName();

/// Returns one name per row of the selected stage: tokens, or sequence numbers for a classifier.
QStringList rowNames(const core::Trace &trace, const core::Selection &selection);
/// Returns the labels next to a heatmap's rows: "read → written" if readsAndWrites().
QStringList rowLabels(const core::Trace &trace, const core::Selection &selection);
/// Returns one name per column: keys, words, or numbers.
QStringList columnNames(const core::Trace &trace, const core::Selection &selection,
                        core::Index columns);

/// Returns the batch whose tokens are the rows of the stage.
const core::Batch &rowBatch(const core::Trace &trace, core::Stage stage,
                            core::AttentionId attention);

/// True if the row of a token predicts the next token. False if the rows are keys or the tokens'
/// own embeddings.
bool readsAndWrites(const core::Trace &trace, core::Stage stage, core::AttentionId attention);

/// Titles of the rows and columns: "query" and "key".
struct AxisNames {
    QString rows;
    QString columns;
};
AxisNames axesOf(const core::Trace &trace, core::Stage stage, core::AttentionId attention);

/// Returns the text of a token id, or the id itself if the vocabulary does not contain it.
QString wordName(const core::Model &model, core::Index word);
/// As above, for a vocabulary, which may be null.
QString wordName(const core::Vocabulary *words, core::Index word);

/// Like rowNames(), columnNames() and wordName() for a single item. Adds the id if another word
/// reads the same. Used in text, because a figure has no space for ids.
QString rowNameWithId(const core::Trace &trace, const core::Selection &selection, core::Index row);
QString keyNameWithId(const core::Trace &trace, const core::Selection &selection, core::Index key);
QString wordNameWithId(const core::Model &model, core::Index word);

} // namespace headlight::ui
