// Tables as comma-separated values (RFC 4180) or as the tab-separated text that spreadsheets paste.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// A matrix with a name for each row and column.
struct LabelledMatrix {
    std::string corner; ///< above the row labels
    std::vector<std::string> rowLabels, columnLabels;
    MatrixView matrix;
};

/// A field as it stands in a file: in quotes where it holds the separator, a quote, a line break or
/// a space at an end; quotes within are doubled.
std::string csvField(std::string_view text, char separator = ',');

/// One line for the column labels, then one a row, each ending with CR LF. Numbers are exact():
/// they read back as the same floats, −∞ as "-inf".
std::string toCsv(const LabelledMatrix &table, char separator = ',');

/// The fields of each line; line breaks are LF or CR LF, and may stand within quotes. Errors: a
/// quote that is never closed, or text after a closing quote, with the line.
Result<std::vector<std::vector<std::string>>> readCsv(std::string_view text, char separator = ',');

} // namespace headlight::core
