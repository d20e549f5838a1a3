#include "core/tokenizers/text/expression_syntax.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// The characters with Unicode property White_Space.
constexpr std::string_view kWhiteSpace =
    R"(\x{9}-\x{d}\x{20}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})";
constexpr std::string_view kWordCharacters = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc})";
constexpr std::string_view kHexDigits = "0-9A-Fa-f";

Error unsayable(const char *what) {
    return {what, "", "use a tokenizer without it"};
}

class Rewriting {
  public:
    Rewriting(std::string_view from, ExpressionSyntax syntax)
        : m_from(from), m_isOniguruma(syntax == ExpressionSyntax::Oniguruma) {}

    Result<std::string> done() {
        while (m_at < m_from.size())
            if (const Outcome good = m_depth > 0 ? inBrackets() : outside(); !good)
                return good.error();
        return m_to;
    }

  private:
    bool follows(std::string_view text) const { return m_from.substr(m_at).starts_with(text); }
    void copy(std::size_t count) {
        m_to += m_from.substr(m_at, count);
        m_at = std::min(m_at + count, m_from.size());
    }
    void replace(std::size_t count, std::string_view with) {
        m_to += with;
        m_at += count;
    }

    /// Returns the characters of an escaped letter's class; empty if its meaning in PCRE2 is the
    /// same.
    std::string_view setOf(char letter) const {
        if (letter == 's' || letter == 'S')
            return kWhiteSpace;
        if (m_isOniguruma && (letter == 'w' || letter == 'W'))
            return kWordCharacters;
        return m_isOniguruma && (letter == 'h' || letter == 'H') ? kHexDigits : std::string_view();
    }

    void escaped() {
        const char letter = m_at + 1 < m_from.size() ? m_from[m_at + 1] : '\0';
        const std::string_view set = setOf(letter);
        const bool isNegated = letter >= 'A' && letter <= 'Z';
        if (letter == 'S' && m_depth > 0)
            return replace(2, R"(\P{White_Space})");
        if (set.empty() || (isNegated && m_depth > 0)) // a negated set cannot be inside brackets
            return copy(2);
        if (m_depth > 0)
            return replace(2, set);
        replace(2, isNegated ? "[^" : "[");
        (m_to += set) += ']';
    }

    Outcome outside() {
        const char c = m_from[m_at];
        if (c == '\\')
            escaped();
        else if (c == '[')
            beginBrackets();
        else if (m_isOniguruma && follows("{,"))
            replace(2, "{0,");
        else if (m_isOniguruma && follows("(?"))
            options();
        else
            copy(1);
        return Done{};
    }

    void beginBrackets() {
        m_depth = 1;
        copy(follows("[^") ? 2 : 1);
        if (follows("]")) // a ] directly after the bracket is a literal
            replace(1, "\\]");
    }

    /// Translates options such as "(?im-x:". Oniguruma's m is PCRE2's s: the dot matches line
    /// breaks.
    void options() {
        copy(2);
        const std::size_t end = m_from.find_first_not_of("imx-", m_at);
        if (end == m_from.npos || (m_from[end] != ':' && m_from[end] != ')'))
            return;
        for (; m_at < end; ++m_at)
            m_to += m_from[m_at] == 'm' ? 's' : m_from[m_at];
    }

    Outcome inBrackets() {
        const char c = m_from[m_at];
        if (c == '\\') {
            escaped();
        } else if (c == ']') {
            if (--m_depth == 0)
                copy(1);
            else
                ++m_at;
        } else if (follows("[:") && m_from.find(":]", m_at) != m_from.npos) {
            copy(m_from.find(":]", m_at) + 2 - m_at);
        } else if (m_isOniguruma && follows("[^")) {
            return unsayable("the expression nests a negated set in another set");
        } else if (m_isOniguruma && c == '[') { // a nested set adds characters to the outer set
            ++m_depth;
            ++m_at;
        } else if (m_isOniguruma && follows("&&")) {
            return unsayable("the expression intersects two sets of characters");
        } else {
            copy(1);
        }
        return Done{};
    }

    std::string_view m_from;
    bool m_isOniguruma;
    std::size_t m_at = 0;
    int m_depth = 0; ///< depth of nested brackets
    std::string m_to;
};

} // namespace

Result<std::string> inPcre2(std::string_view expression, ExpressionSyntax syntax) {
    return Rewriting(expression, syntax).done();
}

} // namespace headlight::core
