// Overviews, effects and comparisons of heads that several figures show, each computed once.
#include "core/analysis/computed_heads.h"
#include "core/analysis/token_partners.h"
#include "core/transformer/trace/trace.h"
#include "tests/core/core_test.h"
#include "tests/core/transformer/random_transformers.h"

namespace {

Computable asked(Index tokens = 9) {
    Random random(31);
    Config config = languageConfig(12, 3, 4);
    config.norm.kind = NormKind::Layer;
    return valueOf(Computable::of(drawnDecoder(random, config), causalText(tokens)));
}

} // namespace

TEST_CASE("equal requests have the same result, whatever the trace holds") {
    const Computable computable = asked();
    const TracePointer trace = valueOf(forward(computable, nullptr, {}, Detail::Ends));
    ComputedHeads heads;
    Index silenced = 0;
    const auto count = [&](Index, Index) { ++silenced; };
    const AblationTarget target{.place = {0, 8}};
    const auto glances = valueOf(heads.glances(*trace, 0));
    CHECK_FALSE(glances->next());
    const auto effects = valueOf(heads.effects(computable, trace, target, {}, count));
    CHECK(silenced == 6);
    const TracePointer page = valueOf(trace->prepared(Stage::AttentionWeights, 1));
    CHECK(valueOf(heads.glances(*page, 0)) == glances);
    CHECK(valueOf(heads.effects(computable, page, target, {}, count)) == effects);
    CHECK(silenced == 6); // nothing was computed again

    // A different row or a different pass gives different results.
    const auto other =
        valueOf(heads.effects(computable, trace, {.place = {0, 3}, .withLoss = false}, {}, count));
    CHECK(other != effects);
    CHECK_FALSE(other->loss);
    CHECK(silenced == 12);
    const TracePointer again = valueOf(forward(computable));
    CHECK(valueOf(heads.glances(*again, 0)) != glances);
    CHECK(valueOf(heads.effects(computable, again, target)) != effects);
}

TEST_CASE("the overviews of an observed pass are not computed again") {
    const Computable computable = asked();
    const auto pass = std::make_shared<PassGlances>(0);
    const TracePointer trace =
        valueOf(forward(computable, nullptr, {}, Detail::Heads, nullptr, pass.get()));
    ComputedHeads heads(pass);
    const std::size_t before = stagesMadeOnThisThread();
    const auto glances = valueOf(heads.glances(*trace, 0));
    CHECK(stagesMadeOnThisThread() == before);
    CHECK_FALSE(glances->next());
    // The overviews of a pass that was not observed have to be computed.
    const TracePointer other = valueOf(forward(computable, nullptr, {}, Detail::Heads));
    const auto computed = valueOf(heads.glances(*other, 0));
    CHECK(stagesMadeOnThisThread() > before);
    for (const AttentionId attention : glances->attentions)
        for (std::size_t head = 0; head < 3; ++head)
            CHECK(glances->of(attention)->heads[head].measures ==
                  computed->of(attention)->heads[head].measures);
}

TEST_CASE("two sides are compared once") {
    const Computable computable = asked(), shorter = asked(7);
    const TracePointer now = valueOf(forward(computable)), a = valueOf(forward(shorter));
    const auto partners = partnersOf(now->input(), 0, a->input(), 0, now->model());
    const auto swapped = partnersOf(a->input(), 0, now->input(), 0, now->model());
    ComputedHeads heads;
    const auto compared = valueOf(heads.compared({*now, 0}, {*a, 0}, partners->texts()));
    CHECK(compared->size() == 6);
    CHECK(valueOf(heads.compared({*now, 0}, {*a, 0}, partners->texts())) == compared);
    CHECK(valueOf(heads.compared({*a, 0}, {*now, 0}, swapped->texts())) != compared);
}
