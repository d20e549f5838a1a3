// A stage to compute by hand: the given values, and the values to find.
#pragma once

#include "core/explain/line.h"
#include "core/selection/selection.h"
#include "core/transformer/model/parameter_id.h"
#include "core/transformer/trace/trace.h"

#include <optional>
#include <variant>
#include <vector>

namespace headlight::core {

/// A matrix, complete or only some of its rows and columns.
struct WorksheetMatrix {
    enum class Kind {
        Stage,      ///< a stage, for one sequence and head of the trace
        Learned,    ///< a parameter; if it is split, only the slice of the head
        Positions,  ///< the position encoding of each token
        TokenTypes, ///< the token type embedding of each token
        Mask,       ///< is added to scores (0 if visible), or multiplies weights (0 if hidden)
    };
    Kind kind = Kind::Stage;
    StageId at{};     ///< the stage itself, or the stage that the matrix is used for
    Index head = 0;   ///< head of the stage
    ParameterId id{}; ///< the parameter, if the matrix is one
    Role role = Role::Residual;
    bool transposed = false; ///< true if the parameter is transposed before it is multiplied
    Index allRows = 0;
    Index allColumns = 0;
    std::vector<Index> rows{}, columns{}; ///< the rows and columns that are shown
    std::vector<float> numbers{};         ///< in row-major order

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
    Selection selection;                ///< stage, sequence and head for the task
    std::vector<WorksheetMatrix> given; ///< the inputs of the stage, in the order of the formula
    WorksheetMatrix asked;
    /// For each value of `asked`: true if it has to be found. Values set by the user are given.
    std::vector<bool> blank{};
};

/// The reason why there is no task.
enum class WorksheetUnavailable {
    NothingToDo, ///< not possible by hand: embeddings, rotations, the error function
    TooLarge     ///< a row needs more values than fit on paper
};

/// Maximum number of rows and columns to find, and of values in a given row or column.
inline constexpr Index kMaxAskedCells = 8;
inline constexpr Index kMaxGiven = 12;
/// Maximum number of products and other terms in a task. At least one row is always included.
inline constexpr Index kMaxWork = 96;

/// Returns a picture of the selected stage, which is printed with a question. For a large matrix,
/// it has a few rows and columns, including the selected ones. Nullopt if the trace has no such
/// stage.
std::optional<WorksheetMatrix> worksheetPicture(const Trace &trace, const Selection &selection);

/// Creates the task for a selection, which must be valid for the trace. If matrices are large or
/// there is too much work, it includes only some rows and columns, but always the selected ones.
std::variant<WorksheetTask, WorksheetUnavailable> worksheetTask(const TracePointer &trace,
                                                                const Selection &selection);

} // namespace headlight::core
