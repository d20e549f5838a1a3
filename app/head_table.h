// A table with a row for each head: as text, as CSV or as JSON.
#pragma once

#include "app/arguments.h"
#include "core/formats/json/text.h"
#include "core/transformer/names/attention_id.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight::app {

struct HeadRow {
    core::AttentionId attention;
    core::Index head = 0;
    std::vector<std::optional<double>> numbers; ///< of the columns; none: it does not exist
    std::string word{};                         ///< of the last column, if it has a name
};

struct HeadTable {
    std::vector<std::string> columns; ///< names of the numbers, as in the file
    std::string wordColumn{};         ///< empty: there are no words
    std::vector<HeadRow> rows;
};

/// Columns of text; "—" for what does not exist. The stack and the block are only shown where the
/// model has several.
QString textOf(const HeadTable &table);
/// An empty field for what does not exist. Lines end with CR LF, as in RFC 4180.
std::string csvOf(const HeadTable &table);
/// The members "stack", "block", "layer" and "head" of a row.
std::vector<core::JsonMemberText> placeOf(const HeadRow &row);
/// null for what does not exist, or is not finite.
std::string jsonNumberOf(const std::optional<double> &number);

} // namespace headlight::app
