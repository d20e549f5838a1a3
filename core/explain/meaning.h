// The meaning of a value of a trace: an expression for each operation. Formulas, arithmetic,
// scripts, sources and the inspector's lines are written from it, and a test evaluates it.
#pragma once

#include "core/explain/expression.h"
#include "core/explain/slice.h"

namespace headlight::core {

/// A note on a formula, or on the arithmetic of a value or a row.
struct Remark {
    enum class Beside { Formula, Number, Row };
    Beside beside = Beside::Formula;
    Note note = Note::None;
    std::vector<std::string> arguments{};
    std::vector<Expression> values{}; ///< values that become further arguments of the note
};

struct Meaning {
    Expression number;
    /// The expression for formulas, if it differs from `number`.
    std::optional<Expression> inSymbols{};
    bool isOfEachRow = false; ///< symbols of the formula get the row as a subscript: Q_i
    std::vector<std::pair<Quantity, double>> asides{}; ///< values for remarks: an angle, a count
    std::vector<Remark> remarks{};
    /// The operation that determines the value: the step's own, or an intervention that replaces or
    /// overwrites its result. Owned by the plan.
    const Operation *by = nullptr;
    std::optional<Expression> overwritten{};         ///< the original expression, if overwritten
    std::vector<std::pair<Index, float>> setInRow{}; ///< overwritten columns, with their new values

    /// True if the step copies a value unchanged.
    bool isClone() const {
        return inSymbols && inSymbols->is(Expression::Kind::Given) && isSameNumber(number);
    }
};

/// Returns the computation of a value. Without a column, `made` means a row. Without a row, it
/// means a column or any value. A renaming step has the meaning of the step that it renames.
Meaning meaningOf(const Trace &trace, Index sequence, Slice made);

/// For a row or column of a PickDistances step: returns the input row that its values are picked
/// from, each from a different column. No value for other steps and for single cells.
std::optional<Slice> pickedRow(const Step &step, const Slice &made);

} // namespace headlight::core
