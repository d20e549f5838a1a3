// The meaning of a number of a trace: an expression for each operation. Formulas, arithmetic,
// scripts, sources and the inspector's lines are written from it, and a test evaluates it.
#pragma once

#include "core/explain/expression.h"
#include "core/explain/slice.h"

namespace headlight::core {

/// A note beside a formula, or beside the arithmetic of a number or a row.
struct Remark {
    enum class Beside { Formula, Number, Row };
    Beside beside = Beside::Formula;
    Note note = Note::None;
    std::vector<std::string> arguments{};
    std::vector<Expression> values{}; ///< their values are further arguments
};

struct Meaning {
    Expression number;
    /// How a formula writes it, if not as `number`.
    std::optional<Expression> inSymbols{};
    bool isOfEachRow = false; ///< the symbols of the formula have the row as their subscript: Q_i
    std::vector<std::pair<Quantity, double>> asides{}; ///< numbers beside it: an angle, a count
    std::vector<Remark> remarks{};
    /// The operation, or the intervention that replaces or overwrites its result. Owned by the
    /// plan.
    const Operation *by = nullptr;
    std::optional<Expression> overwritten{};         ///< what an intervention has overwritten
    std::vector<std::pair<Index, float>> setInRow{}; ///< columns and what they were set to

    /// True if the step only gives a number another use.
    bool isClone() const {
        return inSymbols && inSymbols->is(Expression::Kind::Given) && isSameNumber(number);
    }
};

/// Returns what the operation of a step does to compute a number; without a column a row, and
/// without a row a column or any number of the matrix. For a renaming step that of the renamed one.
Meaning meaningOf(const Trace &trace, Index sequence, Slice made);

} // namespace headlight::core
