// A stage to be computed by hand: the given values and the values to find.
#pragma once

#include "core/explain/line.h"
#include "core/selection/selection.h"
#include "core/transformer/model/parameter_id.h"
#include "core/transformer/trace/trace.h"

#include <optional>
#include <variant>
#include <vector>

namespace headlight::core {

/// A matrix, complete or with some of its rows and columns.
struct WorksheetMatrix {
    enum class Kind {
        Stage,      ///< a stage, for one sequence and head of the trace
        Learned,    ///< a parameter; per head only its slice
        Positions,  ///< the position encoding of each token
        TokenTypes, ///< the token type embedding of each token
        Mask,       ///< addend of scores (0 if visible) or factor of weights (0 if hidden)
    };
    Kind kind = Kind::Stage;
    StageId at{};     ///< the stage itself, or the stage that the matrix is used for
    Index head = 0;   ///< head of the stage
    ParameterId id{}; ///< the parameter, if it is one
    Role role = Role::Residual;
    bool transposed = false; ///< true if the transpose of a parameter is multiplied
    Index allRows = 0;
    Index allColumns = 0;
    std::vector<Index> rows{}, columns{}; ///< the rows and columns included here
    std::vector<float> numbers{};         ///< row by row

    float number(std::size_t row, std::size_t column) const {
        return numbers[row * columns.size() + column];
    }
    bool isWhole() const {
        return static_cast<Index>(rows.size()) == allRows &&
               static_cast<Index>(columns.size()) == allColumns;
    }
    bool operator==(const WorksheetMatrix &) const = default;
};

struct WorksheetTask {
    TracePointer trace;
    Selection selection;                ///< stage, sequence and head of the task
    std::vector<WorksheetMatrix> given; ///< the stage's inputs, in the order of the formula
    WorksheetMatrix asked;
    /// Per number of `asked`: true if it is to be found. Values set by hand are given.
    std::vector<bool> blank{};
};

/// The reason why there is no task.
enum class WorksheetUnavailable {
    NothingToDo, ///< embeddings, rotations, the error function: not by hand
    TooLarge     ///< a row needs more values than fit on paper
};

/// Maximum rows and columns to find, and maximum number of values in a given row or column.
inline constexpr Index kMaxAskedCells = 8;
inline constexpr Index kMaxGiven = 12;
/// Maximum number of products and other terms per task. At least one row is always included.
inline constexpr Index kMaxWork = 96;

/// Creates the task of a selection, which must be valid for the trace. For large matrices, or if
/// there is too much work, it includes only some rows and columns, with the selected ones among
/// them.
std::variant<WorksheetTask, WorksheetUnavailable> worksheetTask(const TracePointer &trace,
                                                                const Selection &selection);

} // namespace headlight::core
