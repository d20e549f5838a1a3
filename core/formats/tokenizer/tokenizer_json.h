// `tokenizer.json`, the file of Hugging Face's tokenizers library
// (huggingface.co/docs/tokenizers/components).
#pragma once

#include "core/tokenizers/tokenizer.h"

namespace headlight::core {

/// The largest of published models (Gemma 3, 262,144 words) have about 33 MB.
inline constexpr std::uint64_t kMaximumTokenizerBytes = std::uint64_t(64) << 20;

/// All that decides about ids, places and texts is read; truncation and padding are not.
/// Errors name the field: what is not there or of another kind, what this version does not know,
/// a merge of tokens that are not in the vocabulary; "cancelled" once `stop` is requested.
Result<TokenizerPointer> readTokenizerJson(std::string_view json, std::stop_token stop = {});

} // namespace headlight::core
