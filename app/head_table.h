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
    std::vector<std::optional<double>> numbers; ///< one per column; unset: no such value
    std::string word{};                         ///< cell of the word column, if there is one
};

struct HeadTable {
    std::vector<std::string> columns; ///< names of the numeric columns, as in the file
    std::string wordColumn{};         ///< name of the word column; empty: there is none
    std::vector<HeadRow> rows;
};

/// Formats columns of text, with "—" for unset values. The stack and the block are only shown if
/// the model has several.
QString textOf(const HeadTable &table);
/// Unset values are empty fields. Lines end with CR LF, as in RFC 4180.
std::string csvOf(const HeadTable &table);
/// Returns the members "stack", "block", "layer" and "head" of a row.
std::vector<core::JsonMemberText> placeOf(const HeadRow &row);
/// Returns "null" for an unset or non-finite value.
std::string jsonNumberOf(const std::optional<double> &number);

} // namespace headlight::app
