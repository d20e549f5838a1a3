// Splits a mark in a lesson's text, such as {weights 0 0 bank money : 4}, into words.
#pragma once

#include "core/transformer/model/batch.h"

#include <charconv>
#include <string_view>

namespace headlight::core {

/// Removes the next word from the front and returns it; empty at the end. A colon is a separate
/// word.
std::string_view nextMarkWord(std::string_view &mark);

/// Parses a word of decimal digits. Returns false for other words, and for numbers too large for
/// Number.
template <typename Number>
bool readWholeWord(std::string_view word, Number &number) {
    const char *end = word.data() + word.size();
    const auto read = std::from_chars(word.data(), end, number);
    return !word.empty() && read.ec == std::errc() && read.ptr == end && number >= 0;
}

/// Returns the token that a word such as "bank" or "bank#2" refers to; −1 if there is none.
Index tokenCalled(std::string_view word, const Batch &batch, Index sequence);

} // namespace headlight::core
