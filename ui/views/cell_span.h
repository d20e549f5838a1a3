// A rectangle of cells of a heatmap, and its numbers as text or as a file.
#pragma once

#include "ui/figures/heatmap/heatmap_figure.h"

#include <stop_token>

namespace headlight::ui {

/// Cells from `first` to `last`, both included.
struct CellSpan {
    Cell first, last;
    bool operator==(const CellSpan &) const = default;

    /// Returns the span with these corners.
    static CellSpan between(Cell a, Cell b);
    core::Index rows() const { return last.row - first.row + 1; }
    core::Index columns() const { return last.column - first.column + 1; }
};

/// The numbers of a span with the labels of its rows and columns. Shares the matrix, so that a
/// worker can write it.
struct SpanNumbers {
    core::SharedMatrix matrix; ///< only the span's cells
    std::vector<std::string> rowLabels, columnLabels;
    std::string corner; ///< name of the matrix, for the table's corner
};
SpanNumbers numbersOf(const HeatmapContent &content, const CellSpan &span);

/// Returns the numbers as comma-separated values, all digits.
std::string csvOf(const SpanNumbers &numbers);

/// Writes CSV, or NumPy's format if the name ends in ".npy": float32, without labels. Rows are
/// written one after another. Errors: those of AtomicFile; "cancelled".
core::Outcome writeSpan(const SpanNumbers &numbers, const std::string &path, bool isNpy,
                        const std::stop_token &stop = {});

} // namespace headlight::ui
