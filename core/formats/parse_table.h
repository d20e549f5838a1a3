// Parses blocks of numbers that users paste, independent of the locale.
#pragma once

#include "core/result.h"
#include "core/tensor/shape.h"

#include <string_view>
#include <vector>

namespace headlight::core {

/// Larger texts are rejected before parsing.
inline constexpr std::size_t kMaxTableBytes = std::size_t(64) << 20;

using NumberRows = std::vector<std::vector<float>>;

/// The meaning of all commas in a block.
enum class Commas {
    Decimal,    ///< 1,5 is one and a half
    Separators, ///< 1,5 is two numbers
    Thousands   ///< 1,500.5 is one number
};

struct TableReading {
    Commas commas = Commas::Decimal;
    Index rows = 0;
    Index columns = 0;
    bool operator==(const TableReading &) const = default;
};

/// Returns all possible readings of a block whose commas are ambiguous, the most likely first.
/// Empty if there is no ambiguity. A single number is unambiguous, because its comma is a decimal
/// point.
std::vector<TableReading> doubtfulReadings(std::string_view text);

/// Parses a block of numbers from a spreadsheet or a CSV file: one row per line, all of equal
/// length. Columns are separated by tabs, else by semicolons, else by commas or spaces, depending
/// on the meaning of the commas. Errors contain line and column (from 1) or report ambiguous
/// commas.
Result<NumberRows> parseTable(std::string_view text);

/// Like parseTable(text), but with the given meaning of the commas.
Result<NumberRows> parseTable(std::string_view text, Commas commas);

} // namespace headlight::core
