// The part of a mark that names numbers of the trace: a stage and indices, "weights 0 0 bank
// money".
#pragma once

#include "core/result.h"
#include "core/transformer/trace/trace.h"

#include <span>

namespace headlight::core {

struct StageReference {
    Tensor tensor; ///< null: there is no stage of that name
    StageId at{Stage::Embeddings, {}};
};

/// The stage by its full name, or at `site` by its short one. A model that has no such stack or
/// attention is asked for its main one.
StageReference stageCalled(std::string_view name, const Trace &trace, AttentionId attention);

/// There is none of that name; the remedy names one that is like it.
Error noStage(std::string_view name, const Trace &trace);

struct CellReference {
    StageReference stage;
    Index sequence = 0;
    SharedNumbers all{};              ///< of the stage
    std::span<const float> numbers{}; ///< one of them, or a row
};

/// Takes a stage and as many indices as it has axes off the front of `mark`, of a row one less;
/// what stands behind is for the caller. Errors: no such stage, an index out of range, a word that
/// is not in the text, too few of them. Their `where` is left empty.
Result<CellReference> takeCell(std::string_view &mark, const Trace &trace, AttentionId attention);
Result<CellReference> takeRow(std::string_view &mark, const Trace &trace, AttentionId attention);

/// Which number of a row the word means: a token of a row over keys, a word of the vocabulary of
/// logits, or an index. −1: none.
Index columnCalled(std::string_view word, const CellReference &row, const Trace &trace);

/// What the column of a row is called: as above, else its index.
std::string nameOfColumn(Index column, const CellReference &row, const Trace &trace);

} // namespace headlight::core
