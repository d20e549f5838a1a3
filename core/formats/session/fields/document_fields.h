// The descriptions of all field tables, for the schema and docs/session-file.md.
#pragma once

#include "core/formats/fields/field_table.h"

namespace headlight::core {

/// Returns the fields of the complete document.
TableInfo documentTable();
/// Returns the tables of all objects in the document.
std::vector<TableInfo> sessionTables();
/// Returns the schema's definitions of all objects in the document.
std::vector<JsonMemberText> sessionDefinitions();

} // namespace headlight::core
