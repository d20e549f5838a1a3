// Blocks of numbers as people paste them, the same in every locale.
#pragma once

#include "core/result.h"
#include "core/tensor/shape.h"

#include <string_view>
#include <vector>

namespace headlight::core {

/// Larger texts are refused unread.
inline constexpr std::size_t kMaximumTableBytes = std::size_t(64) << 20;

using NumberRows = std::vector<std::vector<float>>;

/// What the commas of a block are, all of them.
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

/// Where the commas of a block can mean different things, all that they can, the likeliest first;
/// else empty. A number alone is what it would be if it was typed.
std::vector<TableReading> doubtfulReadings(std::string_view text);

/// A block of numbers, as spreadsheets and CSV files write it: rows of equal length, one a line.
/// Between columns stand tabs; else semicolons; else commas or spaces, as the commas allow. Errors
/// name line and column, from 1, or say that the commas can mean different things.
Result<NumberRows> parseTable(std::string_view text);

/// The same, where somebody has said what the commas are.
Result<NumberRows> parseTable(std::string_view text, Commas commas);

} // namespace headlight::core
