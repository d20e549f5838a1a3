// Tables as comma-separated values (RFC 4180), or as the tab-separated text of spreadsheets.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// A matrix with a name for each row and column.
struct LabelledMatrix {
    std::string corner; ///< text above the row labels
    std::vector<std::string> rowLabels, columnLabels;
    MatrixView matrix;
};

/// Returns a field as written to a file. Quotes it if it contains the separator, a quote or a line
/// break, or starts or ends with a space. Doubles quotes inside it.
std::string csvField(std::string_view text, char separator = ',');

/// Returns a line of column labels, then one line per row, each ending with CR LF. Numbers are
/// written by exact(), so that they are read as the same floats; −∞ is "-inf".
std::string toCsv(const LabelledMatrix &table, char separator = ',');

/// Returns the fields of each line. Line breaks are LF or CR LF, and may occur inside quotes.
/// Errors name the line: an unclosed quote, text after a closing quote.
Result<std::vector<std::vector<std::string>>> readCsv(std::string_view text, char separator = ',');

} // namespace headlight::core
