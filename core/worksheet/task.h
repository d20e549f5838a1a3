// A stage to be worked out with a pencil: what is given, and which of its numbers are asked for.
#pragma once

#include "core/explain/line.h"
#include "core/selection/selection.h"
#include "core/transformer/model/parameter_id.h"
#include "core/transformer/trace/trace.h"

#include <optional>
#include <variant>
#include <vector>

namespace headlight::core {

/// A matrix in its own rows and columns, all of them or some.
struct WorksheetMatrix {
    enum class Kind {
        Stage,      ///< of one sequence and head of the trace
        Learned,    ///< a parameter: of a step's head its share
        Positions,  ///< what each token's position adds
        TokenTypes, ///< what each token's type adds
        Mask, ///< what is added to scores, 0 where a key is seen; of weights 0 where it is not
    };
    Kind kind = Kind::Stage;
    StageId at{};     ///< of a stage; else of the stage that it helps to make
    Index head = 0;   ///< of a stage's own heads
    ParameterId id{}; ///< of a parameter
    Role role = Role::Residual;
    bool transposed = false; ///< of a parameter: its transpose is multiplied with
    Index allRows = 0;
    Index allColumns = 0;
    std::vector<Index> rows{}, columns{}; ///< which of them are here
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
    Selection selection;                ///< the stage, sequence and head that are asked for
    std::vector<WorksheetMatrix> given; ///< what it is made of, in the formula's order
    WorksheetMatrix asked;
    /// One a number of `asked`: it is to be found. What a person has set by hand is not.
    std::vector<bool> blank{};
};

/// Why there is none.
enum class WorksheetUnavailable {
    NothingToDo, ///< words' vectors, or what takes more than a pencil: angles, the error function
    TooLarge     ///< a row needs more numbers than paper has room for
};

/// Rows and columns of what is asked, and the numbers in a row that must all be there.
inline constexpr Index kMostAsked = 8;
inline constexpr Index kMostGiven = 12;
/// Products and other small sums that one task asks for; a row is asked for in any case.
inline constexpr Index kMostWork = 96;

/// The selection fits the trace. Of a large matrix, or of one that is much work, some rows and
/// columns are asked for, those of the selection among them.
std::variant<WorksheetTask, WorksheetUnavailable> paperTask(const TracePointer &trace,
                                                            const Selection &selection);

} // namespace headlight::core
