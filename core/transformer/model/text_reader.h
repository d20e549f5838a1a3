// The interface of a model's tokenizer, for models whose tokens are not plain words.
#pragma once

#include "core/transformer/model/batch.h"
#include "core/transformer/names/attention_id.h"

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace headlight::core {

/// A tokenizer. Thread-safe.
class TextReader {
  public:
    virtual ~TextReader() = default;
    /// Tokenizes a text for a stack, adding the special tokens at the start and end. Errors: the
    /// errors of the tokenizer; "cancelled" after `stop` was requested.
    virtual Result<TokenizedText> read(Stack stack, std::string_view text,
                                       std::stop_token stop) const = 0;
    /// Decodes tokens of a stack, without special tokens. The result is valid UTF-8: incomplete
    /// characters become U+FFFD. The text of a token can change when more tokens follow
    /// (core/generation/written_text.h).
    virtual std::string textOf(Stack stack, std::span<const Index> ids) const = 0;
    /// Returns the separator between the two texts of a pair, such as "[SEP]"; empty if the stack
    /// has none.
    virtual std::string betweenPair(Stack) const { return {}; }
};
using TextReaderPointer = std::shared_ptr<const TextReader>;

} // namespace headlight::core
