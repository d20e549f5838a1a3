// A text becomes longer, shorter or different after its first tokens. The result equals a full
// pass, and a causal model computes only the new rows.
#include "core_test.h"
#include "random_transformers.h"

namespace {

TracePointer laterTrace(const Model &model, const Input &input, const TracePointer &previous,
                        Detail detail) {
    const auto trace = forward(model, input, previous, {}, detail);
    if (trace)
        return *trace;
    REQUIRE(trace.error().what == "the values overflow 32-bit floats");
    return nullptr;
}

/// Returns the trace with a random stage prepared, which may reuse `earlier`.
TracePointer lookedAt(Random &random, const TracePointer &trace, const TracePointer &earlier) {
    const std::vector<std::string> names = trace->names();
    const StageId at = *findStageAnywhere(names[random.next() % names.size()]);
    return *trace->prepared(at.stage, at.attention, 0, 0, {}, earlier.get());
}

/// Returns the batch with tokens added, removed or changed at the ends of the sequences.
BatchPointer typedOn(Random &random, const Batch &batch) {
    std::vector<std::vector<std::string>> sequences;
    for (const Sequence &sequence : batch.sequences()) {
        std::vector<std::string> &tokens =
            sequences.emplace_back(textsOf(sequence.tokenized().tokens));
        if (tokens.size() > 1 && oneIn(random, 3))
            tokens.pop_back();
        for (Index more = between(random, 0, 3); more > 0; --more)
            tokens.push_back("w" + std::to_string(random.next() % 5));
        if (oneIn(random, 4))
            tokens[random.next() % tokens.size()] = "w1";
    }
    return *Batch::ofWords(std::move(sequences));
}

/// Returns the batch with its own vectors for the first sequence, which only depend on the
/// position.
BatchPointer withVectors(const Model &model, const Batch &batch) {
    Matrix vectors(batch.length(), model.config.tokenWidth());
    for (Index t = 0; t < vectors.rows(); ++t)
        for (Index c = 0; c < vectors.columns(); ++c)
            vectors(t, c) = static_cast<float>((t * 7 + c * 3) % 11) / 5 - 1;
    return batch.withEmbeddings(0, makeParameter(std::move(vectors)));
}

Model causalModel(Index width, Index heads) {
    Random random(3);
    Config config = languageConfig(width, heads, width / heads);
    config.norm = {NormKind::Layer, NormPosition::Before, 1e-5f, true, false};
    config.positions = Positions::Rotary;
    config.feedForward = {2 * width, Activation::Gelu, false};
    return drawnDecoder(random, config, smallVocabulary(), 3);
}

} // namespace

TEST_CASE("a text that has changed at its end gives the results of a run from scratch") {
    Random random(20261122);
    int compared = 0;
    for (int trial = 0; trial < 400; ++trial) {
        CAPTURE(trial);
        const Model model = randomTransformer(random);
        Input input = randomTransformerInput(random, model);
        if (oneIn(random, 2))
            input.masks.insert(input.masks.begin(), CausalMask{});
        if (oneIn(random, 4))
            input.interventions = randomTransformerInterventions(random, model, input);
        const auto anyDetail = [&] { return oneIn(random, 2) ? Detail::Everything : Detail::Ends; };
        TracePointer trace = laterTrace(model, input, nullptr, anyDetail());
        for (int step = 0; step < 3 && trace; ++step) {
            input.batch = typedOn(random, *input.batch);
            if (input.source && oneIn(random, 4))
                input.source = typedOn(random, *input.source);
            input.interventions.scores.clear(); // their cells might no longer exist
            if (oneIn(random, 4))
                input.batch = withVectors(model, *input.batch);
            if (!Computable::of(model, input))
                break;
            const TracePointer earlier = lookedAt(random, trace, nullptr);
            trace = laterTrace(model, input, earlier, anyDetail());
            const TracePointer fresh = laterTrace(model, input, nullptr, Detail::Everything);
            if (!trace || !fresh)
                break;
            trace = lookedAt(random, trace, earlier);
            ++compared;
            for (const std::string &name : fresh->names()) {
                CAPTURE(name);
                REQUIRE(trace->stage(name).shape() == fresh->stage(name).shape());
                REQUIRE(trace->stage(name).values() == fresh->stage(name).values());
            }
        }
    }
    CHECK(compared > 600);
}

TEST_CASE("a token appended to a causal text computes its own row and no other") {
    const Model model = causalModel(16, 4);
    constexpr Index kTokens = 60;
    const TracePointer before = *forward(model, causalText(kTokens), nullptr, {}, Detail::Ends);
    const TracePointer after = *forward(model, causalText(kTokens + 1), before, {}, Detail::Ends);
    const TracePointer fresh = *forward(model, causalText(kTokens + 1), nullptr, {}, Detail::Ends);
    CHECK(after->recomputedNumbers() * (kTokens + 1) == fresh->recomputedNumbers());
    for (const std::string &name : fresh->names()) {
        CAPTURE(name);
        CHECK(after->stage(name).values() == fresh->stage(name).values());
    }
    // Queries that attend to later tokens are recomputed.
    Input both = causalText(kTokens + 1);
    both.masks = {};
    Input bothBefore = causalText(kTokens);
    bothBefore.masks = {};
    const TracePointer seen = *forward(model, bothBefore, nullptr, {}, Detail::Ends);
    const TracePointer seesAll = *forward(model, both, seen, {}, Detail::Ends);
    CHECK(seesAll->recomputedNumbers() * 2 > fresh->recomputedNumbers());
}

TEST_CASE("unchanged details of the visible layer are reused") {
    const Input input = causalText(20);
    Model model = causalModel(16, 2);
    const AttentionId first = 0, last = 2;
    const auto inSight = [](const TracePointer &trace, AttentionId attention,
                            const TracePointer &earlier) {
        return *trace->prepared(Stage::AttentionWeights, attention, 0, 0, {}, earlier.get());
    };
    const TracePointer before = *forward(model, input, nullptr, {}, Detail::Ends);
    Matrix edited = *model.parameters.main.layers[2].selfAttention.query->toMatrix();
    edited(1, 1) += 1;
    model.parameters.main.layers[2].selfAttention.query = makeParameter(std::move(edited));
    for (const AttentionId attention : {first, last}) {
        const TracePointer seen = inSight(before, attention, nullptr);
        const TracePointer after =
            inSight(*forward(model, input, seen, {}, Detail::Ends), attention, seen);
        const bool isShared = after->stage(Stage::AttentionWeights, attention).values().data() ==
                              seen->stage(Stage::AttentionWeights, attention).values().data();
        CHECK(isShared == (attention == first));
        CHECK(after->stage(Stage::Norm, attention).values().data() ==
              seen->stage(Stage::Norm, attention).values().data());
    }
}
