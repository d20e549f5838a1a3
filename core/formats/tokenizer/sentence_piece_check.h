// Checks a SentencePiece model before it is passed to SentencePiece's library, which does not
// validate one of its tables.
#pragma once

#include <string_view>

namespace headlight::core {

/// The library walks a replacement table (a double array, Aoe 1989) without bounds checks, so a
/// damaged table could make it read any memory. Returns false for such a table, and if the model is
/// not a protocol buffer message.
bool hasSoundTables(std::string_view model);

} // namespace headlight::core
