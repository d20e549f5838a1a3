// What a text is searched for: some characters as they are, or a regular expression (PCRE2's, with
// its limits set: a pattern that is made to hang is stopped).
#pragma once

#include "core/cancelled.h"
#include "core/tokenizers/text/expression_syntax.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// A stretch of a text that fits, or one between two that do.
struct Match {
    std::size_t begin = 0;
    std::size_t end = 0; ///< behind it
    bool fits = false;
};

/// How long a text becomes where this stands for each stretch that fits.
inline std::size_t replacedSize(const std::vector<Match> &matches, std::string_view with) {
    std::size_t size = 0;
    for (const Match &match : matches)
        size += match.fits ? with.size() : match.end - match.begin;
    return size;
}

class Pattern {
  public:
    /// Of characters as they are; not empty.
    static Pattern literal(std::string characters);
    /// Errors: what is wrong with the expression.
    static Result<Pattern> expression(std::string_view expression,
                                      ExpressionSyntax syntax = ExpressionSyntax::Pcre2);

    /// The whole of a valid UTF-8 text, in stretches from its beginning to its end; none of them is
    /// empty. Error: the search took too many steps, or too long. Throws Cancelled.
    Result<std::vector<Match>> split(std::string_view text, StopCheck &stop) const;

  private:
    struct Compiled;

    Result<std::vector<Match>> splitByExpression(std::string_view text, StopCheck &stop) const;

    std::string m_literal;
    std::shared_ptr<const Compiled> m_compiled; ///< of an expression
};

} // namespace headlight::core
