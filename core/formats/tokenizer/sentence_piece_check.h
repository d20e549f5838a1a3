// Whether a SentencePiece model may be given to its library, which trusts one table of it.
#pragma once

#include <string_view>

namespace headlight::core {

/// The library walks a table of replacements (a double array, Aoe 1989) without looking where it
/// ends: a damaged one would have it read any memory. False also where the bytes are no message of
/// protocol buffers.
bool hasSoundTables(std::string_view model);

} // namespace headlight::core
