// A search pattern: literal characters, or a PCRE2 regular expression. Limits stop expressions that
// are designed to take forever.
#pragma once

#include "core/cancelled.h"
#include "core/tokenizers/text/expression_syntax.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// A match in a text, or the text between two matches.
struct Match {
    std::size_t begin = 0;
    std::size_t end = 0; ///< end (exclusive)
    bool fits = false;
};

/// Returns the size of the text if each match is replaced by `with`.
inline std::size_t replacedSize(const std::vector<Match> &matches, std::string_view with) {
    std::size_t size = 0;
    for (const Match &match : matches)
        size += match.fits ? with.size() : match.end - match.begin;
    return size;
}

class Pattern {
  public:
    /// Matches the characters literally. `characters` must not be empty.
    static Pattern literal(std::string characters);
    /// Errors: the expression is invalid.
    static Result<Pattern> expression(std::string_view expression,
                                      ExpressionSyntax syntax = ExpressionSyntax::Pcre2);

    /// Splits a valid UTF-8 text into matches and the non-empty stretches between them, which
    /// together cover it. Errors: the search needs too many steps, too much time, or too much
    /// memory. Throws Cancelled.
    Result<std::vector<Match>> split(std::string_view text, StopCheck &stop) const;

  private:
    struct Compiled;

    Result<std::vector<Match>> splitByExpression(std::string_view text, StopCheck &stop) const;

    std::string m_literal;
    std::shared_ptr<const Compiled> m_compiled; ///< null for literal characters
};

} // namespace headlight::core
