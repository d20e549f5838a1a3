// Silencing each head in turn, compared with passes from scratch.
#include "core/analysis/head_ablation.h"
#include "core/cancelled.h"
#include "core/transformer/run/forward.h"
#include "core/transformer/run/head_variants.h"
#include "core_test.h"
#include "random_transformers.h"

#include <atomic>

namespace {

struct Asked {
    Model model;
    Input input;
};

/// A language model of two layers with three heads, and a text of six words.
Asked asked() {
    Random random(11);
    Asked made;
    Config config = languageConfig(12, 3, 4);
    config.norm.kind = NormKind::Layer;
    made.model = drawnDecoder(
        random, config,
        valueOf(Vocabulary::create({"the", "dog", "cat", "sat", "on", "mat", "[UNK]"})));
    made.input.batch = valueOf(Batch::ofWords({{"the", "cat", "sat", "on", "the", "mat"}}));
    made.input.masks = {CausalMask{}};
    return made;
}

/// Returns the mean −ln p of the next tokens, from the trace's own probabilities.
double lossIn(const Trace &trace, Index sequence) {
    const SharedMatrix probabilities = trace.matrix(Stage::Probabilities, {}, sequence, 0);
    const Sequence &text = trace.batch()[sequence];
    double sum = 0;
    for (Index row = 0; row + 1 < text.length; ++row)
        sum -= std::log(static_cast<double>(
            probabilities(row, *trace.model().vocabulary->idOf(text[row + 1]))));
    return sum / static_cast<double>(text.length - 1);
}

/// Returns some rows of a sequence, each at most once, in any order.
std::vector<Index> someRows(Random &random, Index length) {
    std::vector<Index> rows;
    for (Index row = 0; row < length; ++row)
        if (row == 0 || oneIn(random, 2))
            rows.insert(oneIn(random, 2) ? rows.begin() : rows.end(), row);
    return rows;
}

/// Returns the heads of a module that are on.
std::vector<Index> headsOn(const Model &model, const Input &input, AttentionId attention) {
    std::vector<Index> heads;
    for (Index head = 0; head < model.headsOf(attention); ++head)
        if (input.interventions.stateOf(attention, head) == HeadState::On)
            heads.push_back(head);
    return heads;
}

using Logits = std::vector<std::vector<float>>; // one entry per row

/// Runs the variants, `atOnce` at a time. Returns the wanted rows of each.
std::vector<Logits> runVariants(const HeadVariants &variants, const std::vector<Index> &heads,
                                const std::vector<Index> &rows, std::size_t atOnce) {
    std::vector<Logits> made(heads.size(), Logits(rows.size()));
    for (std::size_t first = 0; first < heads.size(); first += atOnce) {
        const std::span<const Index> some =
            std::span(heads).subspan(first, std::min(atOnce, heads.size() - first));
        std::atomic<int> outOfOrder = 0;
        const Outcome run = variants.run(
            some, [&](const HeadVariants::Row &row, Index column, std::span<const float> logits) {
                const auto at = std::ranges::find(rows, row.row) - rows.begin();
                auto &own = made[first + row.variant][static_cast<std::size_t>(at)];
                outOfOrder += std::ssize(own) != column;
                own.insert(own.end(), logits.begin(), logits.end());
            });
        REQUIRE(run.ok());
        CHECK(outOfOrder == 0);
    }
    return made;
}

/// Returns the same rows of a pass without the head; no value if its numbers overflow.
std::optional<Logits> rowsWithout(const Model &model, Input input,
                                  const HeadVariants::Wanted &wanted, Index head) {
    input.interventions.setHead(wanted.attention, head, wanted.state);
    const auto trace = forward(valueOf(Computable::of(model, std::move(input))));
    if (!trace)
        return std::nullopt;
    const bool isClassifier = (*trace)->has(Stage::ClassLogits);
    const SharedMatrix logits = (*trace)->matrix(isClassifier ? Stage::ClassLogits : Stage::Logits,
                                                 {}, isClassifier ? 0 : wanted.sequence, 0);
    Logits rows;
    for (const Index row : isClassifier ? std::vector{wanted.sequence} : wanted.rows)
        rows.emplace_back(logits.row(row).begin(), logits.row(row).end());
    return rows;
}

} // namespace

TEST_CASE("heads that are silenced together give the bits of a pass without each") {
    Random random(144);
    int compared = 0, classifiers = 0, crossing = 0;
    for (int trial = 0; trial < 300; ++trial) {
        CAPTURE(trial);
        const Model model = randomTransformer(random, trial % 4 == 3);
        Input input = randomTransformerInput(random, model);
        if (oneIn(random, 2))
            input.interventions = randomTransformerInterventions(random, model, input);
        const Detail details[] = {Detail::Everything, Detail::Ends, Detail::Heads, Detail::Rows};
        const auto trace =
            forward(valueOf(Computable::of(model, input)), nullptr, {}, details[random.next() % 4]);
        if (!trace || !hasOutput(**trace))
            continue;
        for (const AttentionId attention : model.attentions()) {
            HeadVariants::Wanted wanted{.attention = attention,
                                        .state =
                                            oneIn(random, 2) ? HeadState::Zero : HeadState::Mean,
                                        .sequence = between(random, 0, input.batch->count() - 1),
                                        .rows = someRows(random, input.batch->length())};
            const std::vector<Index> heads = headsOn(model, input, attention);
            if (!HeadVariants::areAvailable(**trace, wanted)) {
                CHECK(model.config.norm.kind == NormKind::Batch);
                continue;
            }
            std::vector<Logits> expected;
            for (const Index head : heads)
                if (auto rows = rowsWithout(model, input, wanted, head))
                    expected.push_back(*std::move(rows));
            if (expected.size() != heads.size()) // the values overflow
                continue;
            const HeadVariants variants = valueOf(HeadVariants::of(**trace, wanted));
            CHECK(variants.atOnce() >= 1);
            CAPTURE(attention.layer);
            const std::vector<Index> rows =
                (*trace)->has(Stage::ClassLogits) ? std::vector<Index>{0} : wanted.rows;
            CHECK(runVariants(variants, heads, rows, heads.size()) == expected);
            CHECK(runVariants(variants, heads, rows, 2) == expected);
            compared += static_cast<int>(heads.size());
            classifiers += (*trace)->has(Stage::ClassLogits);
            crossing += attention.block == Block::CrossAttention;
        }
    }
    CHECK(compared > 500);
    CHECK(classifiers > 20);
    CHECK(crossing > 20);
}

/// The logits of a few thousand words arrive in blocks of columns, which must not change a bit.
/// Tests models without and with a softcap, which adds a stage.
TEST_CASE("logits of many words arrive in blocks, with the bits of a pass") {
    Random random(5);
    std::vector<std::string> words{"the", "cat", "sat", "[UNK]"};
    for (int word = 0; word < 3000; ++word)
        words.push_back("w" + std::to_string(word));
    for (const float cap : {0.0f, 2.0f}) {
        CAPTURE(cap);
        Config config = languageConfig(12, 3, 4);
        config.norm.kind = NormKind::Layer;
        config.logitCap.limit = cap;
        const Model model = drawnDecoder(random, config, valueOf(Vocabulary::create(words)));
        std::vector<std::string> text;
        for (int token = 0; token < 450; ++token)
            text.push_back("w" + std::to_string(token * 7 % 3000));
        Input input;
        input.batch = valueOf(Batch::ofWords({text}));
        input.masks = {CausalMask{}};
        const TracePointer trace = valueOf(forward(valueOf(Computable::of(model, input))));
        const HeadVariants::Wanted wanted{.attention = {1}, .rows = {449, 3, 448}};
        const HeadVariants variants = valueOf(HeadVariants::of(*trace, wanted));
        const std::vector<Index> heads{0, 2};
        const std::vector<Logits> made = runVariants(variants, heads, wanted.rows, 2);
        for (std::size_t at = 0; at < heads.size(); ++at)
            CHECK(made[at] == rowsWithout(model, input, wanted, heads[at]));
        // All rows together take several blocks of columns.
        HeadVariants::Wanted all = wanted;
        all.rows.resize(450);
        std::iota(all.rows.begin(), all.rows.end(), 0);
        CHECK(runVariants(valueOf(HeadVariants::of(*trace, all)), {1}, all.rows, 1).front() ==
              rowsWithout(model, input, all, 1));
    }
}

TEST_CASE("a state that changes the weights needs separate passes") {
    const auto [model, input] = asked();
    const Computable computable = valueOf(Computable::of(model, input));
    const TracePointer trace = valueOf(forward(computable));
    CHECK_FALSE(HeadVariants::areAvailable(*trace, {.state = HeadState::Uniform}));
    const AblatedHeads found =
        valueOf(ablateHeads(computable, trace, {.place = {0, 3}, .state = HeadState::Uniform}));
    REQUIRE(found.heads.size() == 6);
    Input without = input;
    without.interventions.setHead({1}, 2, HeadState::Uniform);
    const TracePointer then = valueOf(forward(valueOf(Computable::of(model, without))));
    CHECK(found.heads.back().logitDifference ==
          static_cast<double>(then->matrix(Stage::Logits, {}, 0, 0)(3, found.token)) - found.logit);
    CHECK(*found.heads.back().lossDifference ==
          doctest::Approx(lossIn(*then, 0) - *found.loss).epsilon(1e-4));
}

TEST_CASE("the effects do not depend on what the trace holds") {
    const auto [model, input] = asked();
    const Computable computable = valueOf(Computable::of(model, input));
    const AblatedHeads whole =
        valueOf(ablateHeads(computable, valueOf(forward(computable)), {.place = {0, 2}}));
    for (const Detail detail : {Detail::Ends, Detail::Heads, Detail::Rows})
        for (const bool withLoss : {true, false}) {
            const TracePointer trace = valueOf(forward(computable, nullptr, {}, detail));
            const AblatedHeads found =
                valueOf(ablateHeads(computable, trace, {.place = {0, 2}, .withLoss = withLoss}));
            CHECK(found.loss.has_value() == withLoss);
            REQUIRE(found.heads.size() == whole.heads.size());
            for (std::size_t at = 0; at < whole.heads.size(); ++at) {
                CHECK(found.heads[at].logitDifference == whole.heads[at].logitDifference);
                CHECK(found.heads[at].probability == whole.heads[at].probability);
                CHECK(found.heads[at].top == whole.heads[at].top);
                if (withLoss)
                    CHECK(found.heads[at].lossDifference == whole.heads[at].lossDifference);
            }
        }
}

TEST_CASE("each head's effect matches a pass without it") {
    for (const HeadState state : {HeadState::Zero, HeadState::Mean}) {
        const auto [model, given] = asked();
        const Computable computable = valueOf(Computable::of(model, given));
        const TracePointer trace = valueOf(forward(computable));
        const OutputRowId place = outputPlaceOf(*trace, {});
        const AblatedHeads found =
            valueOf(ablateHeads(computable, trace, {.place = place, .state = state}));
        const SharedMatrix logits = trace->matrix(Stage::Logits, {}, place.sequence, 0);
        CHECK(found.logit == static_cast<double>(logits(place.row, found.token)));
        CHECK(found.top == found.token);
        REQUIRE(found.loss);
        CHECK(*found.loss == doctest::Approx(lossIn(*trace, place.sequence)).epsilon(1e-5));
        std::size_t at = 0;
        for (const AttentionId attention : model.attentions())
            for (Index head = 0; head < model.headsOf(attention); ++head) {
                const HeadEffect &effect = found.heads[at++];
                CHECK(effect.attention == attention);
                CHECK(effect.head == head);
                Input input = given;
                input.interventions.setHead(attention, head, state);
                const TracePointer without =
                    valueOf(forward(valueOf(Computable::of(model, input))));
                const SharedMatrix then = without->matrix(Stage::Logits, {}, place.sequence, 0);
                CHECK(effect.logitDifference ==
                      static_cast<double>(then(place.row, found.token)) - found.logit);
                CHECK(
                    *effect.lossDifference ==
                    doctest::Approx(lossIn(*without, place.sequence) - *found.loss).epsilon(1e-4));
                CHECK(then(place.row, effect.top) == std::ranges::max(then.row(place.row)));
            }
        CHECK(at == found.heads.size());
    }
}

TEST_CASE("heads that are off have no row, and a model without an output layer is refused") {
    auto [model, input] = asked();
    input.interventions.setHead({1}, 0, HeadState::Zero);
    const Computable computable = valueOf(Computable::of(model, input));
    const TracePointer trace = valueOf(forward(computable));
    Index done = 0;
    const AblatedHeads found =
        valueOf(ablateHeads(computable, trace, {}, {}, [&](Index, Index) { ++done; }));
    CHECK(found.heads.size() == 5); // one of six heads is already silenced
    CHECK(done == std::ssize(found.heads));
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = ablateHeads(computable, trace, {}, stop.get_token());
    REQUIRE_FALSE(stopped);
    CHECK(isCancelled(stopped.error()));
    CHECK_FALSE(ablateHeads(computable, trace, {.token = 1'000'000}));

    model.config.outputLayer = {};
    const Computable silent = valueOf(Computable::of(model, input));
    CHECK_FALSE(ablateHeads(silent, valueOf(forward(silent)), {}));
}
