// A search pattern: literal characters, or a PCRE2 regular expression. Limits stop expressions that
// are crafted to hang.
#pragma once

#include "core/cancelled.h"
#include "core/tokenizers/text/expression_syntax.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// A matching stretch of a text, or the stretch between two matches.
struct Match {
    std::size_t begin = 0;
    std::size_t end = 0; ///< exclusive
    bool fits = false;
};

/// Returns the size of the text after each match is replaced by `with`.
inline std::size_t replacedSize(const std::vector<Match> &matches, std::string_view with) {
    std::size_t size = 0;
    for (const Match &match : matches)
        size += match.fits ? with.size() : match.end - match.begin;
    return size;
}

class Pattern {
  public:
    /// Matches the characters literally; they must not be empty.
    static Pattern literal(std::string characters);
    /// Errors: an invalid expression.
    static Result<Pattern> expression(std::string_view expression,
                                      ExpressionSyntax syntax = ExpressionSyntax::Pcre2);

    /// Splits valid UTF-8 text into non-empty stretches that cover all of it. Error: the search
    /// took too many steps or too long. Throws Cancelled.
    Result<std::vector<Match>> split(std::string_view text, StopCheck &stop) const;

  private:
    struct Compiled;

    Result<std::vector<Match>> splitByExpression(std::string_view text, StopCheck &stop) const;

    std::string m_literal;
    std::shared_ptr<const Compiled> m_compiled; ///< set for an expression
};

} // namespace headlight::core
