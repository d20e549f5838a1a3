// Translates regular expressions of other libraries to PCRE2.
#pragma once

#include "core/result.h"

#include <string>
#include <string_view>

namespace headlight::core {

/// The library in whose syntax an expression is written.
enum class ExpressionSyntax {
    Pcre2,
    /// Oniguruma with Ruby's syntax, as in tokenizer.json. Differs from PCRE2 in \w, \h, {,n}, ^
    /// and $ (which match at every line), and nested brackets.
    Oniguruma,
};

/// Returns an expression in PCRE2's syntax with the same matches. \s becomes Unicode's White_Space,
/// because PCRE2's own set has one more character. Error: syntax without an equivalent, such as the
/// intersection of two sets.
Result<std::string> inPcre2(std::string_view expression, ExpressionSyntax syntax);

} // namespace headlight::core
