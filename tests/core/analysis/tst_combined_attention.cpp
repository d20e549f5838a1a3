// Heads combined into one matrix: every number compared with a plain loop over the trace, for
// random models.
#include "core/analysis/attention_flow.h"
#include "core/analysis/combined_attention.h"
#include "core/analysis/special_tokens.h"
#include "tests/core/core_test.h"
#include "tests/core/fixture.h"
#include "tests/core/transformer/random_transformers.h"

namespace {

/// Returns the combined weight of a token pair in double, by a loop over the heads.
double plainWeight(const Trace &trace, AttentionId attention, Index sequence,
                   const CombinationRequest &request, Index i, Index j) {
    double result = request.combination == Combination::Maximum ? -1e300 : 0;
    for (const Index head : request.heads) {
        const SharedMatrix weights =
            trace.matrix(Stage::AttentionWeights, attention, sequence, head);
        const auto weight = static_cast<double>(weights(i, j));
        result = request.combination == Combination::Maximum ? std::max(result, weight)
                                                             : result + weight;
    }
    return request.combination == Combination::Maximum
               ? result
               : result / static_cast<double>(request.heads.size());
}

/// Returns the combined weight of a cell: without the left-out keys, renormalised over the other
/// keys, with pieces merged into words.
double plainCell(const Trace &trace, AttentionId attention, Index sequence,
                 const CombinationRequest &request, const TokenRange &query,
                 const TokenRange &key) {
    const std::vector<Token> &keys = trace.keys(attention)[sequence].tokens;
    const auto isOut = [&](Index j) {
        return (request.leftOut.firstToken && j == 0) ||
               (request.leftOut.specialTokens &&
                isWrittenAsSpecial(keys[static_cast<std::size_t>(j)].text));
    };
    double mean = 0;
    for (Index i = query.begin; i < query.end; ++i) {
        double all = 0, kept = 0, word = 0;
        for (Index j = 0; j < std::ssize(keys); ++j) {
            const double weight = plainWeight(trace, attention, sequence, request, i, j);
            all += std::abs(weight);
            if (isOut(j))
                continue;
            kept += std::abs(weight);
            word += j >= key.begin && j < key.end ? weight : 0;
        }
        mean += kept > 0 ? word * all / kept : word;
    }
    return mean / static_cast<double>(query.end - query.begin);
}

Input pieces() {
    return inputOf({"[CLS] un ##believ ##able cats rest [SEP]"}, {CausalMask{}});
}

} // namespace

TEST_CASE("every number matches a loop over the heads, for complete traces and traces by head") {
    int merged = 0, leftOut = 0, some = 0, checked = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random);
        const Input input = randomTransformerInput(random, model);
        const auto whole = forward(model, input);
        const auto byHead = forward(model, input, nullptr, {}, Detail::Heads);
        if (!whole || !byHead)
            continue;
        const AttentionId attention(0, Block::SelfAttention, model.mainStack());
        if (!model.hasAttention(attention))
            continue; // no self-attention: its layers only read the second sequence
        const Index sequence = between(random, 0, (*whole)->batch().count() - 1);
        CombinationRequest request;
        request.combination = oneIn(random, 2) ? Combination::Mean : Combination::Maximum;
        for (Index head = 0; head < model.headsOf(attention); ++head)
            if (oneIn(random, 2) || request.heads.empty())
                request.heads.push_back(head);
        request.words = oneIn(random, 2);
        request.leftOut = {oneIn(random, 2), oneIn(random, 2)};
        const CombinedAttention made =
            valueOf(combinedAttention(**whole, attention, sequence, request));
        merged += request.words;
        leftOut += std::ranges::count(made.leftOut, true) > 0;
        some += std::ssize(request.heads) < model.headsOf(attention);
        REQUIRE(made.weights.rows == std::ssize(made.queries));
        REQUIRE(made.weights.columns == std::ssize(made.keys));
        for (Index row = 0; row < made.weights.rows; ++row)
            for (Index column = 0; column < made.weights.columns; ++column) {
                const double expected = plainCell(**whole, attention, sequence, request,
                                                  made.queries[static_cast<std::size_t>(row)],
                                                  made.keys[static_cast<std::size_t>(column)]);
                CHECK(static_cast<double>(made.weights(row, column)) ==
                      doctest::Approx(expected).epsilon(1e-5));
                ++checked;
            }
        const auto ready = (*byHead)->prepared(Stage::AttentionWeights, attention, sequence,
                                               request.heads.front());
        const CombinedAttention again =
            valueOf(combinedAttention(**ready, attention, sequence, request));
        CHECK(again.queries == made.queries);
        CHECK(again.leftOut == made.leftOut);
        for (Index row = 0; row < made.weights.rows; ++row)
            CHECK(std::ranges::equal(again.weights.row(row), made.weights.row(row)));
    }
    CHECK(merged > 10);
    CHECK(leftOut > 10);
    CHECK(some > 5);
    CHECK(checked > 1000);
}

TEST_CASE(
    "pieces become one word, special tokens are left out, and both are found by their tokens") {
    const TracePointer trace = traceOf(smallModel(), pieces());
    CombinationRequest request{.combination = Combination::Mean,
                               .heads = {0, 1},
                               .words = true,
                               .leftOut = {true, false},
                               .kept = {}};
    const CombinedAttention made = valueOf(combinedAttention(*trace, {}, 0, request));
    CHECK(made.queries == std::vector<TokenRange>{{0, 1}, {1, 4}, {4, 5}, {5, 6}, {6, 7}});
    CHECK(made.leftOut == std::vector<bool>{true, false, false, false, true});
    for (Index row = 1; row < made.weights.rows; ++row) {
        const auto numbers = made.weights.row(row);
        CHECK(std::accumulate(numbers.begin(), numbers.end(), 0.0) == doctest::Approx(1));
    }
    // The first word sees only itself, which is left out.
    for (const float weight : made.weights.row(0))
        CHECK(weight == 0);
    REQUIRE(made.hidden);
    CHECK(made.hidden->hidden(2, 0));       // a key that is left out
    CHECK(made.hidden->hidden(2, 3));       // a later token
    CHECK_FALSE(made.hidden->hidden(2, 1)); // "unbelievable"
    CHECK_FALSE(made.hidden->hidden(1, 1)); // some of its pieces see each other
    CHECK(CombinedAttention::placeOf(made.queries, 3) == 1);
    CHECK(CombinedAttention::placeOf(made.queries, 6) == 4);
    CHECK_FALSE(CombinedAttention::placeOf(made.queries, 7));
    CHECK_FALSE(CombinedAttention::placeOf(made.queries, -1));
}

TEST_CASE("left-out tokens include a piece of a word") {
    const TracePointer trace =
        traceOf(smallModel(), inputOf({"un ##believ ##able cats rest"}, {CausalMask{}}));
    const CombinationRequest request{.combination = Combination::Mean,
                                     .heads = {0, 1},
                                     .words = true,
                                     .leftOut = {false, true},
                                     .kept = {}};
    const CombinedAttention made = valueOf(combinedAttention(*trace, {}, 0, request));
    CHECK(made.leftOut == std::vector<bool>{false, false, false});
    CHECK(made.leftOutTokens == std::vector<bool>{true, false, false, false, false});
}

TEST_CASE("a word may have more tokens than are read at once") {
    constexpr Index kPieces = 1200;
    std::string text = "[CLS] a";
    for (Index piece = 1; piece < kPieces; ++piece)
        text += " ##a";
    const TracePointer trace = traceOf(smallModel(), inputOf({text}, {CausalMask{}}));
    const CombinationRequest request{.combination = Combination::Mean,
                                     .heads = {0, 1},
                                     .words = true,
                                     .leftOut = {},
                                     .kept = {}};
    const CombinedAttention made = valueOf(combinedAttention(*trace, {}, 0, request));
    REQUIRE(made.queries == std::vector<TokenRange>{{0, 1}, {1, 1 + kPieces}});
    double first = 0; // the weight on [CLS], by a loop
    for (const Index head : request.heads) {
        const SharedMatrix weights = trace->matrix(Stage::AttentionWeights, {}, 0, head);
        for (Index row = 1; row <= kPieces; ++row)
            first += static_cast<double>(weights(row, 0));
    }
    first /= 2.0 * static_cast<double>(kPieces);
    CHECK(static_cast<double>(made.weights(1, 0)) == doctest::Approx(first).epsilon(1e-5));
    CHECK(static_cast<double>(made.weights(1, 1)) == doctest::Approx(1 - first).epsilon(1e-5));
}

TEST_CASE("words of a causal model have a causal mask, however many they are") {
    std::string text = "un ##believ";
    for (Index word = 0; word < 1100; ++word)
        text += " cats";
    const TracePointer trace = traceOf(smallModel(), inputOf({text}, {CausalMask{}}));
    const CombinationRequest request{
        .combination = Combination::Mean, .heads = {0}, .words = true, .leftOut = {}, .kept = {}};
    const CombinedAttention made = valueOf(combinedAttention(*trace, {}, 0, request));
    REQUIRE(made.weights.rows == 1101);
    REQUIRE(made.hidden);
    CHECK(made.hidden->hidden(0, 1));
    CHECK_FALSE(made.hidden->hidden(0, 0));
    CHECK(made.hidden->hidden(1099, 1100));
    CHECK_FALSE(made.hidden->hidden(1100, 0));
}

TEST_CASE("thresholds") {
    const TracePointer trace = traceOf(smallModel(), pieces());
    CombinationRequest request{.combination = Combination::Mean,
                               .heads = {0, 1},
                               .words = false,
                               .leftOut = {},
                               .kept = {}};
    const CombinedAttention all = valueOf(combinedAttention(*trace, {}, 0, request));
    request.kept.least = 0.2;
    const CombinedAttention large = valueOf(combinedAttention(*trace, {}, 0, request));
    request.kept = {0, 0.5};
    const CombinedAttention half = valueOf(combinedAttention(*trace, {}, 0, request));
    int dropped = 0;
    for (Index row = 0; row < all.weights.rows; ++row) {
        double sum = 0;
        for (Index column = 0; column < all.weights.columns; ++column) {
            const float weight = all.weights(row, column);
            CHECK(large.weights(row, column) == (weight >= 0.2f ? weight : 0));
            dropped += weight > 0 && weight < 0.2f;
            sum += static_cast<double>(half.weights(row, column));
        }
        CHECK(sum >= 0.5 - 1e-6);
    }
    CHECK(dropped > 3);
    CHECK(std::ranges::equal(all.weights.row(0),
                             half.weights.row(0))); // this row has a single weight of 1
}

TEST_CASE("rollout and flow match their functions") {
    const TracePointer trace = traceOf(smallModel(3), pieces());
    const TokenMixing rollout = valueOf(attentionRollout(*trace, Stack::Main, 0));
    const TokenMixing flow = valueOf(attentionFlow(valueOf(mixedLayers(*trace, Stack::Main, 0))));
    for (const bool isFlow : {false, true}) {
        CombinationRequest request;
        request.combination = isFlow ? Combination::Flow : Combination::Rollout;
        const CombinedAttention made = valueOf(combinedAttention(*trace, {1}, 0, request));
        const TokenMixing &expected = isFlow ? flow : rollout;
        REQUIRE(made.weights.rows == expected.size);
        for (Index row = 0; row < expected.size; ++row)
            for (Index column = 0; column < expected.size; ++column)
                CHECK(made.weights(row, column) == static_cast<float>(expected(row, column)));
    }
}

TEST_CASE("combinations that are refused") {
    const TracePointer trace = traceOf(smallModel(), pieces());
    CombinationRequest request;
    request.heads = {0};
    std::stop_source stop;
    stop.request_stop();
    CHECK(combinedAttention(*trace, {}, 0, request, stop.get_token()).error().what == "cancelled");
    CHECK_FALSE(combinedAttention(*trace, {0, Block::CrossAttention}, 0, request));
    CHECK_FALSE(combinedAttention(*trace, {}, 1, request)); // a sequence that the trace lacks
    std::string words;
    for (Index token = 0; token <= kMaxFlowTokens; ++token)
        words += "word ";
    request.combination = Combination::Flow;
    const TracePointer longer = traceOf(smallModel(), inputOf({words}));
    CHECK(combinedAttention(*longer, {}, 0, request).error().text().find("64") !=
          std::string::npos);
}
