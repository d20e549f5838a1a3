// Reads `tokenizer.json`, the format of Hugging Face's tokenizers library
// (huggingface.co/docs/tokenizers/components).
#pragma once

#include "core/tokenizers/tokenizer.h"

namespace headlight::core {

/// Size limit of a file. The largest published one has about 33 MB (Gemma 3, 262,144 words).
inline constexpr std::uint64_t kMaxTokenizerBytes = std::uint64_t(64) << 20;

/// Reads everything that determines ids, spans and texts, but ignores truncation and padding.
/// Errors name the field: a missing or invalid value, an unsupported feature, a merge of unknown
/// tokens; "cancelled" once `stop` is requested.
Result<TokenizerPointer> readTokenizerJson(std::string_view json, std::stop_token stop = {});

} // namespace headlight::core
