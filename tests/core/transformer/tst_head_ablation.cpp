// Silencing each head in turn, compared with passes from scratch.
#include "core/analysis/head_ablation.h"
#include "core/cancelled.h"
#include "core/transformer/run/forward.h"
#include "core_test.h"
#include "random_transformers.h"

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

} // namespace

TEST_CASE("each head's effect is that of a pass without it") {
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
