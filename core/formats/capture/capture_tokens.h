// The tokens of a capture, from the metadata of its file.
#pragma once

#include "core/formats/capture/capture.h"

namespace headlight::core {

/// `tokens` and `sourceTokens` of the capture, from its metadata. False: that has no tokens, which
/// is no error. Errors name the file and the field.
Result<bool> readTokens(Capture &capture, const std::string &path);

/// So many sequences of so many numbers.
TokenLists countedTokens(Index sequences, Index length);

} // namespace headlight::core
