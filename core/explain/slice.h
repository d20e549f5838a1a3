// A part of the matrix that a step computes for one sequence and head.
#pragma once

#include "core/transformer/trace/trace.h"

#include <optional>

namespace headlight::core {

/// A cell, a row, a column or all of the matrix.
struct Slice {
    StepId step = 0;
    Index head = 0;                   ///< head of the step
    std::optional<Index> row, column; ///< none: all rows or columns
    auto operator<=>(const Slice &) const = default;

    bool contains(const Slice &other) const {
        return step == other.step && head == other.head && (!row || row == other.row) &&
               (!column || column == other.column);
    }
};

} // namespace headlight::core
