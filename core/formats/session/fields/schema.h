// Publishes the format of session files, generated from the field tables:
// docs/session-file.schema.json, and the tables of docs/session-file.md. The program session_docs
// (tests/core/session) writes both, and tst_session_schema compares them.
#pragma once

#include <string>
#include <string_view>

namespace headlight::core {

/// Returns the contents of docs/session-file.schema.json.
std::string sessionSchema();

/// Returns `page` with the text between each `<!-- fields: NAME -->` and `<!-- end -->` replaced by
/// the Markdown table of NAME. The table of an unknown name is empty.
std::string withFieldTables(std::string_view page);

} // namespace headlight::core
