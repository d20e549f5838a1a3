// The alignment of two texts, compared with the textbook's table, and pairs that the user moves.
#include "core/analysis/token_alignment.h"
#include "tests/core/core_test.h"

namespace {

using Texts = std::vector<std::string>;

Texts tokensIn(const std::string &text) {
    std::istringstream words(text);
    return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

AlignedPairs aligned(const std::string &now, const std::string &a) {
    return alignedTokens(tokensIn(now), tokensIn(a));
}

/// Returns the length of the longest common subsequence from the complete table.
Index longest(const Texts &now, const Texts &a) {
    std::vector<std::vector<Index>> table(now.size() + 1, std::vector<Index>(a.size() + 1));
    for (std::size_t i = 1; i <= now.size(); ++i)
        for (std::size_t j = 1; j <= a.size(); ++j)
            table[i][j] = now[i - 1] == a[j - 1] ? table[i - 1][j - 1] + 1
                                                 : std::max(table[i - 1][j], table[i][j - 1]);
    return table[now.size()][a.size()];
}

} // namespace

TEST_CASE("texts that differ in a word, and in length") {
    CHECK(aligned("a b c", "a b c") == AlignedPairs{{0, 0}, {1, 1}, {2, 2}});
    CHECK(aligned("When Mary and John went", "When Tom and John went") ==
          AlignedPairs{{0, 0}, {2, 2}, {3, 3}, {4, 4}});
    CHECK(aligned("the very old cat sat", "the cat sat down") ==
          AlignedPairs{{0, 0}, {3, 1}, {4, 2}});
    CHECK(aligned("a b", "c d e").empty());
    CHECK(aligned("", "a").empty());
    CHECK(aligned("", "").empty());
    const UnpairedTokens unpaired =
        unpairedTokens(aligned("the very old cat sat", "the cat sat down"), 5, 4);
    CHECK(unpaired.now == std::vector<Index>{1, 2});
    CHECK(unpaired.a == std::vector<Index>{3});
}

TEST_CASE("no alignment is longer") {
    std::mt19937 random(5);
    for (int round = 0; round < 300; ++round) {
        const std::size_t words = 2 + random() % 6;
        const auto text = [&] {
            Texts tokens;
            for (std::size_t i = random() % 40; i > 0; --i)
                tokens.push_back(std::string(1, static_cast<char>('a' + random() % words)));
            return tokens;
        };
        const Texts now = text(), a = text();
        const AlignedPairs pairs = alignedTokens(now, a);
        CHECK(isOrdered(pairs, std::ssize(now), std::ssize(a)));
        CHECK(std::ssize(pairs) == longest(now, a));
        for (const AlignedPair &pair : pairs)
            CHECK(now[static_cast<std::size_t>(pair.now)] == a[static_cast<std::size_t>(pair.a)]);
        const UnpairedTokens unpaired = unpairedTokens(pairs, std::ssize(now), std::ssize(a));
        CHECK(pairs.size() + unpaired.now.size() == now.size());
        CHECK(pairs.size() + unpaired.a.size() == a.size());
    }
}

TEST_CASE("two texts of 2,048 tokens each") {
    Texts now, a;
    for (std::size_t i = 0; i < 2048; ++i) {
        now.push_back(std::to_string(i * i % 511));
        a.push_back(std::to_string(i * 7 % 509));
    }
    const AlignedPairs pairs = alignedTokens(now, a);
    CHECK(isOrdered(pairs, 2048, 2048));
    CHECK(std::ssize(pairs) == longest(now, a));
}

TEST_CASE("the cost is bounded: a large middle stays without partners") {
    const std::size_t length = 40'000; // a complete table would have 1.6e9 cells
    Texts now(length, "x"), a(length, "y");
    now.front() = a.front() = "first";
    now.back() = a.back() = "last";
    const auto last = static_cast<Index>(length) - 1;
    CHECK(alignedTokens(now, a) == AlignedPairs{{0, 0}, {last, last}});
}

TEST_CASE("a stop ends the search between the common prefix and suffix") {
    std::stop_source source;
    source.request_stop();
    const Texts now = tokensIn("The old cat sat on a mat"), a = tokensIn("The cat on the old mat");
    CHECK(alignedTokens(now, a, source.get_token()) == AlignedPairs{{0, 0}, {6, 5}});
    CHECK(alignedTokens(now, a).size() > 2);
}

TEST_CASE("a user moves pairs") {
    const AlignedPairs pairs = aligned("When Mary and John went", "When Tom and John went");
    CHECK(withPair(pairs, {1, 1}) == AlignedPairs{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}});
    // Pairs that share a token with the new one or cross it are removed.
    CHECK(withPair(pairs, {1, 3}) == AlignedPairs{{0, 0}, {1, 3}, {4, 4}});
    CHECK(withPair(pairs, {4, 0}) == AlignedPairs{{4, 0}});
    CHECK(withPair({}, {2, 5}) == AlignedPairs{{2, 5}});
    CHECK(withoutPairOf(pairs, 2) == AlignedPairs{{0, 0}, {3, 3}, {4, 4}});
    CHECK(withoutPairOf(pairs, 1) == pairs);
    CHECK_FALSE(isOrdered({{0, 1}, {1, 1}}, 2, 2));
    CHECK_FALSE(isOrdered({{0, 0}, {2, 1}}, 2, 2));
    CHECK_FALSE(isOrdered({{-1, 0}}, 2, 2));
    CHECK(isOrdered({}, 0, 0));
}
