// Heads combined into one, pieces merged into words, keys left out, and thresholds.
#include "core/analysis/head_aggregation.h"
#include "tests/core/core_test.h"

namespace {

Token piece(const std::string &text, Index begin, Index end) {
    return {text, {}, TextSpan{begin, end}};
}

std::vector<TokenRange> wordsIn(const std::vector<Token> &tokens) {
    return wordsOf(tokens, std::ssize(tokens));
}

double sumOf(std::span<const float> row) {
    return std::accumulate(row.begin(), row.end(), 0.0);
}

} // namespace

TEST_CASE("mean and maximum of chosen heads") {
    const Matrix first(2, 2, {1, 0, 0.5f, 0.5f}), second(2, 2, {0, 1, 0.25f, 0.75f});
    const std::vector heads{first.view(), second.view()};
    CHECK(combinedHeads(heads, HeadSummary::Mean) == Matrix(2, 2, {0.5f, 0.5f, 0.375f, 0.625f}));
    CHECK(combinedHeads(heads, HeadSummary::Maximum) == Matrix(2, 2, {1, 1, 0.5f, 0.75f}));
    CHECK(combinedHeads(std::span(heads).first(1), HeadSummary::Mean) == first);
}

TEST_CASE("words from pieces") {
    using Ranges = std::vector<TokenRange>;
    // "The unbelievable cat.", by the spans of the tokens
    CHECK(wordsIn({piece("The", 0, 3), piece("un", 4, 6), piece("believ", 6, 12),
                   piece("able", 12, 16), piece("cat", 17, 20), piece(".", 20, 21)}) ==
          Ranges{{0, 1}, {1, 4}, {4, 5}, {5, 6}});
    // BERT's pieces, without spans
    CHECK(wordsIn(tokensOf({"[CLS]", "un", "##believ", "##able", "cat", "##", "[SEP]"})) ==
          Ranges{{0, 1}, {1, 4}, {4, 5}, {5, 6}, {6, 7}});
    // GPT-2's space marks, as in captures
    CHECK(wordsIn(tokensOf({"The", "Ġun", "believ", "able", ",", "Ġcat", "<|endoftext|>", "A"})) ==
          Ranges{{0, 1}, {1, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}});
    // Spaces in place of the marks, as in captures that were made readable
    CHECK(wordsIn(tokensOf({"Data", " visual", "ization", " em", "powers", ",", " users"})) ==
          Ranges{{0, 1}, {1, 3}, {3, 5}, {5, 6}, {6, 7}});
    // Whole words are not joined.
    CHECK(wordsIn(tokensOf({"the", "cat"})) == Ranges{{0, 1}, {1, 2}});
    CHECK(wordsOf(tokensOf({"a", "b", "[PAD]"}), 2) == Ranges{{0, 1}, {1, 2}});
    CHECK(wordsOf({}, 0).empty());
}

TEST_CASE("words sum over keys and average over queries") {
    const Matrix weights(3, 3,
                         {1, 0, 0, //
                          0.5f, 0.5f, 0, 0.25f, 0.25f, 0.5f});
    const std::vector<TokenRange> words{{0, 1}, {1, 3}};
    const Matrix merged = mergedIntoWords(weights.view(), words, words);
    CHECK(merged == Matrix(2, 2, {1, 0, 0.375f, 0.625f}));
    for (const Index row : {0, 1})
        CHECK(sumOf(merged.view().row(row)) == doctest::Approx(1));
}

TEST_CASE("without some keys, rows keep their sum") {
    const Matrix weights(2, 3,
                         {0.5f, 0.25f, 0.25f, //
                          1, 0, 0});
    const auto keys = leftOutKeys(tokensOf({"[CLS]", "cat", "<0x0A>"}), {.specialTokens = true});
    CHECK(keys == std::vector{true, false, false});
    CHECK(leftOutKeys(tokensOf({"a", "[SEP]"}), {.firstToken = true}) == std::vector{true, false});
    CHECK(leftOutKeys(tokensOf({"a", "[SEP]"}), {}) == std::vector{false, false});
    const Matrix kept = withoutKeys(weights.view(), keys);
    CHECK(kept == Matrix(2, 3, {0, 0.5f, 0.5f, 0, 0, 0})); // the second row keeps no key
}

TEST_CASE("thresholds") {
    const Matrix weights(2, 4,
                         {0.5f, 0.25f, 0.125f, 0.125f, //
                          -0.5f, 0.25f, 0, 0.25f});
    CHECK(keptAtLeast(weights.view(), 0.25f) ==
          Matrix(2, 4, {0.5f, 0.25f, 0, 0, -0.5f, 0.25f, 0, 0.25f}));
    CHECK(keptShare(weights.view(), 0.75) == Matrix(2, 4, {0.5f, 0.25f, 0, 0, -0.5f, 0.25f, 0, 0}));
    CHECK(keptShare(weights.view(), 0.76) ==
          Matrix(2, 4, {0.5f, 0.25f, 0.125f, 0, -0.5f, 0.25f, 0, 0.25f}));
    CHECK(keptShare(weights.view(), 1) == weights);
    CHECK(keptShare(weights.view(), 0) == Matrix(2, 4));
    // No smaller set of keys reaches the share.
    std::mt19937 random(3);
    std::uniform_real_distribution<float> number(0, 1);
    Matrix row(1, 30);
    for (float &weight : row.view().row(0))
        weight = number(random);
    for (const double share : {0.1, 0.5, 0.9}) {
        const Matrix kept = keptShare(std::as_const(row).view(), share);
        const double all = sumOf(std::as_const(row).view().row(0));
        const double sum = sumOf(kept.view().row(0));
        float smallest = 1;
        for (const float weight : kept.view().row(0))
            smallest = weight > 0 ? std::min(smallest, weight) : smallest;
        CHECK(sum >= share * all - 1e-6);
        CHECK(sum - static_cast<double>(smallest) < share * all);
    }
}
