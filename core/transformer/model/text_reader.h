// How the texts of a model become its tokens, where these are not the words of the text.
#pragma once

#include "core/transformer/model/batch.h"
#include "core/transformer/names/attention_id.h"

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace headlight::core {

/// Safe to ask from any thread.
class TextReader {
  public:
    virtual ~TextReader() = default;
    /// What a stack reads, with the tokens that its texts begin and end with. Errors: the
    /// tokenizer's; "cancelled" once `stop` is requested.
    virtual Result<TokenizedText> read(Stack stack, std::string_view text,
                                       std::stop_token stop) const = 0;
    /// The text of tokens that a stack reads or writes, without those that only begin, end or part
    /// texts. It is valid UTF-8: bytes of no whole character are U+FFFD. That of a text and more
    /// tokens may begin otherwise than that of the text (core/generation/written_text.h).
    virtual std::string textOf(Stack stack, std::span<const Index> ids) const = 0;
    /// What is typed between two texts that the stack reads as a pair, such as "[SEP]"; empty:
    /// it has nothing to tell them apart by.
    virtual std::string betweenPair(Stack) const { return {}; }
};
using TextReaderPointer = std::shared_ptr<const TextReader>;

} // namespace headlight::core
