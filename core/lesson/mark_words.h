// The words within a mark of a lesson's text, {weights 0 0 bank money : 4}.
#pragma once

#include "core/transformer/model/batch.h"

#include <charconv>
#include <string_view>

namespace headlight::core {

/// The next word, taken off the front; empty at the end. A colon is a word of its own.
std::string_view nextMarkWord(std::string_view &mark);

/// Digits and nothing else: false where they are not, or are too many for a Number.
template <typename Number>
bool readWholeWord(std::string_view word, Number &number) {
    const char *end = word.data() + word.size();
    const auto read = std::from_chars(word.data(), end, number);
    return !word.empty() && read.ec == std::errc() && read.ptr == end && number >= 0;
}

/// Which token of the sequence is meant by "bank" or "bank#2"; −1: none.
Index tokenCalled(std::string_view word, const Batch &batch, Index sequence);

} // namespace headlight::core
