#include "core/tokenizers/text/pattern.h"

#include <algorithm>
#include <array>
#include <cassert>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace headlight::core {

namespace {

constexpr std::size_t kMaximumExpression = 10'000;
/// What one search may take. GPT-2's pattern needs about as many steps as its match is long.
constexpr std::uint32_t kMaximumSteps = 5'000'000;
constexpr std::uint32_t kMaximumHeapKiB = 64 * 1024;
constexpr std::size_t kLeastStack = 32 * 1024, kMaximumStack = 4 * 1024 * 1024;

template <typename T, void (*release)(T *)>
struct Released {
    void operator()(T *owned) const { release(owned); }
};
template <typename T, void (*release)(T *)>
using Owned = std::unique_ptr<T, Released<T, release>>;

using MatchData = Owned<pcre2_match_data, pcre2_match_data_free>;
using Limits = Owned<pcre2_match_context, pcre2_match_context_free>;
using Stack = Owned<pcre2_jit_stack, pcre2_jit_stack_free>;

/// Unicode's White_Space, which is what \s means to the library that these patterns are written
/// for. PCRE2's \s has a character more.
constexpr std::string_view kSpaces =
    R"(\x{9}-\x{d}\x{20}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})";

/// The same expression with \s, and \S outside of [ ], written out.
std::string withSpaces(std::string_view expression) {
    std::string out;
    bool inClass = false;
    for (std::size_t i = 0; i < expression.size(); ++i) {
        const char c = expression[i];
        if (c == '\\' && i + 1 < expression.size()) {
            const char next = expression[++i];
            if (next == 's')
                (out += inClass ? "" : "[").append(kSpaces) += inClass ? "" : "]";
            else if (next == 'S' && !inClass)
                (out += "[^").append(kSpaces) += "]";
            else
                (out += c) += next;
            continue;
        }
        if (c == '[' && !inClass) {
            inClass = true;
            out += c;
            // A ] that comes first is one of the characters.
            if (i + 1 < expression.size() && expression[i + 1] == '^')
                out += expression[++i];
            if (i + 1 < expression.size() && expression[i + 1] == ']')
                out += expression[++i];
            continue;
        }
        if (c == ']')
            inClass = false;
        out += c;
    }
    return out;
}

std::string reasonOf(int code) {
    std::array<PCRE2_UCHAR, 256> text{};
    if (pcre2_get_error_message(code, text.data(), text.size()) < 0)
        return "error " + std::to_string(code);
    return reinterpret_cast<const char *>(text.data());
}

void add(std::vector<Match> &matches, std::size_t begin, std::size_t end, bool fits) {
    if (begin < end)
        matches.push_back({begin, end, fits});
}

} // namespace

struct Pattern::Compiled {
    pcre2_code *code = nullptr;

    explicit Compiled(pcre2_code *compiled) : code(compiled) {}
    Compiled(const Compiled &) = delete;
    Compiled &operator=(const Compiled &) = delete;
    ~Compiled() { pcre2_code_free(code); }
};

Pattern Pattern::literal(std::string characters) {
    assert(!characters.empty());
    Pattern pattern;
    pattern.m_literal = std::move(characters);
    return pattern;
}

Result<Pattern> Pattern::expression(std::string_view expression) {
    if (expression.size() > kMaximumExpression)
        return Error{{"the expression is longer than %1 bytes", kMaximumExpression}, "", ""};
    const std::string ready = withSpaces(expression);
    int problem = 0;
    PCRE2_SIZE at = 0;
    const auto compiled = std::make_shared<Compiled>(
        pcre2_compile(reinterpret_cast<PCRE2_SPTR>(ready.data()), ready.size(),
                      PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C, &problem, &at, nullptr));
    if (!compiled->code)
        return Error{{"the expression cannot be understood: %1", reasonOf(problem)}, "", ""};
    // Faster where this processor has it; the same matches where it has not.
    (void)pcre2_jit_compile(compiled->code, PCRE2_JIT_COMPLETE);
    Pattern pattern;
    pattern.m_compiled = compiled;
    return pattern;
}

Result<std::vector<Match>> Pattern::splitByExpression(std::string_view text,
                                                      StopCheck &stop) const {
    const pcre2_code *code = m_compiled->code;
    const MatchData data(pcre2_match_data_create_from_pattern(code, nullptr));
    const Limits limits(pcre2_match_context_create(nullptr));
    const Stack stack(pcre2_jit_stack_create(kLeastStack, kMaximumStack, nullptr));
    if (!data || !limits)
        return Error{"there is not enough memory to search", "", "close other programs"};
    pcre2_set_match_limit(limits.get(), kMaximumSteps);
    pcre2_set_heap_limit(limits.get(), kMaximumHeapKiB);
    if (stack) // where the processor has no such compiler, there is none, and none is needed
        pcre2_jit_stack_assign(limits.get(), nullptr, stack.get());
    const auto *bytes = reinterpret_cast<PCRE2_SPTR>(text.data());
    std::vector<Match> matches;
    std::size_t done = 0; // what is before it is in `matches`
    for (std::size_t from = 0; from <= text.size();) {
        stop.throwIfRequested();
        const int found = pcre2_match(code, bytes, text.size(), from, PCRE2_NO_UTF_CHECK,
                                      data.get(), limits.get());
        if (found == PCRE2_ERROR_NOMATCH)
            break;
        if (found < 0)
            return Error{
                {"the tokenizer's expression takes too long on this text: %1", reasonOf(found)},
                "",
                "use another text, or a tokenizer that you trust"};
        const PCRE2_SIZE *place = pcre2_get_ovector_pointer(data.get());
        // \K could let a match end before its beginning.
        const std::size_t begin = std::max(place[0], done);
        const std::size_t end = std::max(place[1], begin);
        add(matches, done, begin, false);
        add(matches, begin, end, true);
        done = std::max(done, end);
        from = std::max(end, from);
        if (place[1] <= place[0]) { // nothing was found there: on to the next character
            ++from;
            while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0) == 0x80)
                ++from;
        }
    }
    add(matches, done, text.size(), false);
    return matches;
}

Result<std::vector<Match>> Pattern::split(std::string_view text, StopCheck &stop) const {
    if (m_compiled)
        return splitByExpression(text, stop);
    std::vector<Match> matches;
    std::size_t done = 0;
    for (std::size_t at = text.find(m_literal); at != std::string_view::npos;
         at = text.find(m_literal, done)) {
        stop.throwIfRequested();
        add(matches, done, at, false);
        done = at + m_literal.size();
        add(matches, at, done, true);
    }
    add(matches, done, text.size(), false);
    return matches;
}

} // namespace headlight::core
