// A table with a row for each head, as CSV or as JSON. The window and the command line write the
// same bytes.
#pragma once

#include "core/analysis/heads_of_trace.h"
#include "core/formats/json/text.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight::core {

struct HeadRow {
    AttentionId attention;
    Index head = 0;
    std::vector<std::optional<double>> numbers; ///< one per column; unset: no such value
    std::string word{};                         ///< cell of the word column, if there is one
};

struct HeadTable {
    std::vector<std::string> columns; ///< names of the numeric columns, as in the file
    std::string wordColumn{};         ///< name of the word column; empty: there is none
    std::vector<HeadRow> rows;
};

/// Returns a column for each measure.
HeadTable measuresAsTable(const std::vector<HeadOfTrace> &heads,
                          std::span<const NamedMeasure> measures);

/// Unset values are empty fields. Lines end with CR LF, as in RFC 4180.
std::string csvOf(const HeadTable &table);
/// Returns an object for each head, as docs/measures.schema.json describes.
std::string measuresAsJson(const HeadTable &table);
/// Returns the members "stack", "block", "layer" and "head" of a row.
std::vector<JsonMemberText> headMembers(const HeadRow &row);
/// Returns the number as the files contain it, rounded to 32 bits; "null" for an unset or
/// non-finite value.
std::string jsonNumberOf(const std::optional<double> &number);

} // namespace headlight::core
