// The tokenizer in the metadata of a GGUF file.
#pragma once

#include "core/formats/gguf/gguf_file.h"
#include "core/tokenizers/tokenizer.h"

namespace headlight::core {

/// True if the metadata contains a list of tokens.
bool hasTokens(const GgufFile &file);

/// Reads tokenizer.ggml.*: SentencePiece's merges by score ("llama"), byte-level merges ("gpt2")
/// with the known splitters, or WordPiece ("bert"). Errors name the file and the key: another
/// tokenizer or splitter, lists of different lengths, an id without a token; "cancelled".
Result<TokenizerPointer> readGgufTokenizer(const GgufFile &file, std::stop_token stop = {});

} // namespace headlight::core
