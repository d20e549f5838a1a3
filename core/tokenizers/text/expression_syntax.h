// Regular expressions of other libraries in the words of PCRE2.
#pragma once

#include "core/result.h"

#include <string>
#include <string_view>

namespace headlight::core {

/// Whose words an expression is in.
enum class ExpressionSyntax {
    Pcre2,
    /// Oniguruma's, with Ruby's syntax: what tokenizer.json is written in. \w, \h, {,n}, ^ and $ at
    /// every line, and brackets within brackets are otherwise there.
    Oniguruma,
};

/// With the same matches. \s is Unicode's White_Space in both: PCRE2's has a character more. Error:
/// what cannot be said, such as what two sets of characters have in common.
Result<std::string> inPcre2(std::string_view expression, ExpressionSyntax syntax);

} // namespace headlight::core
