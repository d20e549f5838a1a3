// Reads the tokens of a capture from the file's metadata.
#pragma once

#include "core/formats/capture/capture.h"

namespace headlight::core {

/// Sets `tokens` and `sourceTokens` of the capture. Returns false if the metadata has no tokens,
/// which is valid. Errors name the file and the field.
Result<bool> readTokens(Capture &capture, const std::string &path);

/// Returns `sequences` lists of the `length` texts "0", "1", …
TokenLists countedTokens(Index sequences, Index length);

} // namespace headlight::core
