// Translates regular expressions of other libraries to PCRE2.
#pragma once

#include "core/result.h"

#include <string>
#include <string_view>

namespace headlight::core {

/// The library whose syntax an expression uses.
enum class ExpressionSyntax {
    Pcre2,
    /// Oniguruma with Ruby's syntax, used by tokenizer.json. Differs from PCRE2 in \w, \h, {,n}, ^
    /// and $ (which match at every line), and nested brackets.
    Oniguruma,
};

/// Returns an expression with the same matches. \s is Unicode's White_Space in both; PCRE2's own
/// has one more character. Error: syntax without an equivalent, such as the intersection of two
/// character sets.
Result<std::string> inPcre2(std::string_view expression, ExpressionSyntax syntax);

} // namespace headlight::core
