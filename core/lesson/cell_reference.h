// Parses the part of a mark that refers to values of the trace: a stage and indices, "weights 0 0
// bank money".
#pragma once

#include "core/result.h"
#include "core/transformer/trace/trace.h"

#include <span>

namespace headlight::core {

struct StageReference {
    Tensor tensor; ///< null if there is no such stage
    StageId at{Stage::Embeddings, {}};
};

/// Finds a stage by its full name, or by its short name at `attention`. If the model does not have
/// that stack or attention module, uses its main stack or its other attention module.
StageReference stageCalled(std::string_view name, const Trace &trace, AttentionId attention);

/// Returns the error for an unknown stage. Its remedy suggests a similar name.
Error noStage(std::string_view name, const Trace &trace);

struct CellReference {
    StageReference stage;
    Index sequence = 0;
    SharedNumbers all{};              ///< all values of the stage
    std::span<const float> numbers{}; ///< the referenced value or row
};

/// The index of a token can be replaced by its word, or by "@last" for the last one that is not
/// padding. The last index can be "@most": the index of the row's largest value.
///
/// Reads a stage and one index per axis from the front of `mark`; takeRow() reads one index fewer.
/// The rest of `mark` is left to the caller. Errors, with an empty `where`: no such stage, an index
/// out of range, a word that is not in the text, too few indices.
Result<CellReference> takeCell(std::string_view &mark, const Trace &trace, AttentionId attention);
Result<CellReference> takeRow(std::string_view &mark, const Trace &trace, AttentionId attention);

/// Returns the column of a row that `word` refers to: a token if the columns are keys, a word of
/// the vocabulary for logits, or an index. −1 if there is none.
Index columnCalled(std::string_view word, const CellReference &row, const Trace &trace);

/// Returns the name of a row's column: a token or a word of the vocabulary, else its index.
std::string nameOfColumn(Index column, const CellReference &row, const Trace &trace);

} // namespace headlight::core
