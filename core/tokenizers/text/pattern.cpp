#include "core/tokenizers/text/pattern.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <ctime>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace headlight::core {

namespace {

constexpr std::size_t kMaxExpression = 10'000;
/// Limits of a single search. GPT-2's expression needs about as many steps as its match has
/// characters.
constexpr std::uint32_t kMaxSteps = 5'000'000;
constexpr std::uint32_t kMaxHeapKiB = 64 * 1024;
constexpr std::size_t kMinStack = 32 * 1024, kMaxStack = 4 * 1024 * 1024;

template <typename T, void (*release)(T *)>
struct Released {
    void operator()(T *owned) const { release(owned); }
};
template <typename T, void (*release)(T *)>
using Owned = std::unique_ptr<T, Released<T, release>>;

using MatchData = Owned<pcre2_match_data, pcre2_match_data_free>;
using Limits = Owned<pcre2_match_context, pcre2_match_context_free>;
using Stack = Owned<pcre2_jit_stack, pcre2_jit_stack_free>;

/// The number of text positions, and of searches, between two checks of the clock and the stop
/// token.
constexpr std::size_t kPlacesAtOnce = 1024;
constexpr unsigned kSearchesAtOnce = 256;
constexpr double kMaxSeconds = 5; // CPU time; 1 MB of prose takes about 0.1 s

/// Time limit for all searches of a text together; the limits above apply to each search. Measures
/// CPU time of the thread, so that a busy system makes no difference.
class Clock {
  public:
    bool isOver() const { return now() - m_start > kMaxSeconds; }

  private:
    static double now() {
        std::timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    }
    double m_start = now();
};

Error takesTooLong(const std::string &why) {
    return {{"the tokenizer's expression takes too long on this text: %1", why},
            "",
            "use another text, or a tokenizer that you trust"};
}

/// Returns the match context for all searches of this thread, because creating one takes longer
/// than most searches. Null if there is not enough memory.
pcre2_match_context *limitsOfThread() {
    thread_local const Stack stack(pcre2_jit_stack_create(kMinStack, kMaxStack, nullptr));
    thread_local const Limits limits = [] {
        Limits made(pcre2_match_context_create(nullptr));
        if (!made)
            return made;
        pcre2_set_match_limit(made.get(), kMaxSteps);
        pcre2_set_heap_limit(made.get(), kMaxHeapKiB);
        if (stack) // null on processors that PCRE2's JIT compiler does not support, where no stack
                   // is needed
            pcre2_jit_stack_assign(made.get(), nullptr, stack.get());
        return made;
    }();
    return limits.get();
}

std::string reasonOf(int code) {
    std::array<PCRE2_UCHAR, 256> text{};
    if (pcre2_get_error_message(code, text.data(), text.size()) < 0)
        return "error " + std::to_string(code);
    return reinterpret_cast<const char *>(text.data());
}

/// Returns the last byte of the character that contains `at`, so that the next character starts
/// after it. Returns the size of the text if `at` is beyond the end.
std::size_t endOfCharacter(std::string_view text, std::size_t at) {
    if (at >= text.size())
        return text.size();
    while (at + 1 < text.size() && (static_cast<unsigned char>(text[at + 1]) & 0xC0) == 0x80)
        ++at;
    return at;
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

Result<Pattern> Pattern::expression(std::string_view expression, ExpressionSyntax syntax) {
    if (expression.size() > kMaxExpression)
        return Error{{"the expression is longer than %1 bytes", kMaxExpression}, "", ""};
    const auto ready = inPcre2(expression, syntax);
    if (!ready)
        return ready.error();
    const std::uint32_t lines = syntax == ExpressionSyntax::Oniguruma ? PCRE2_MULTILINE : 0;
    int problem = 0;
    PCRE2_SIZE at = 0;
    const auto compiled = std::make_shared<Compiled>(pcre2_compile(
        reinterpret_cast<PCRE2_SPTR>(ready->data()), ready->size(),
        PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_USE_OFFSET_LIMIT | lines, &problem,
        &at, nullptr));
    if (!compiled->code)
        return Error{{"the expression is invalid: %1", reasonOf(problem)}, "", ""};
    // JIT compilation is optional, because it only makes matching faster.
    (void)pcre2_jit_compile(compiled->code, PCRE2_JIT_COMPLETE);
    Pattern pattern;
    pattern.m_compiled = compiled;
    return pattern;
}

Result<std::vector<Match>> Pattern::splitByExpression(std::string_view text,
                                                      StopCheck &stop) const {
    const pcre2_code *code = m_compiled->code;
    const MatchData data(pcre2_match_data_create_from_pattern(code, nullptr));
    pcre2_match_context *limits = limitsOfThread();
    if (!data || !limits)
        return Error{"there is not enough memory to search", "", "close other programs"};
    const auto *bytes = reinterpret_cast<PCRE2_SPTR>(text.data());
    std::vector<Match> matches;
    std::size_t done = 0; // `matches` covers the text up to here
    const Clock clock;
    unsigned searches = 0;
    for (std::size_t from = 0; from <= text.size();) {
        stop.throwIfRequested();
        const std::size_t last = endOfCharacter(text, from + kPlacesAtOnce);
        pcre2_set_offset_limit(limits, last);
        const int found =
            pcre2_match(code, bytes, text.size(), from, PCRE2_NO_UTF_CHECK, data.get(), limits);
        const bool isNone = found == PCRE2_ERROR_NOMATCH;
        if (isNone || ++searches % kSearchesAtOnce == 0) {
            throwIfCancelled(stop.token());
            if (clock.isOver())
                return takesTooLong("the search took too long");
        }
        if (isNone) {
            from = last + 1;
            continue;
        }
        if (found < 0)
            return takesTooLong(reasonOf(found));
        const PCRE2_SIZE *place = pcre2_get_ovector_pointer(data.get());
        // With \K, a match may end before it starts.
        const std::size_t begin = std::max(place[0], done);
        const std::size_t end = std::max(place[1], begin);
        add(matches, done, begin, false);
        add(matches, begin, end, true);
        done = std::max(done, end);
        from = std::max(end, from);
        if (place[1] <= place[0]) { // continues after an empty match at the next character
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
