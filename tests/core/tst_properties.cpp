// Invariants of all models, texts, mechanism switches and interventions, checked on hundreds of
// random ones.
#include "core/analysis/attention_row_properties.h"
#include "random_models.h"
#include "tests/support/forward.h"

using namespace headlight::core;
using namespace headlight::core::test;
using headlight::test::forward;

namespace {

void checkMaskedScores(const Trace &trace, Index layer) {
    const Tensor masked = trace.stage(Stage::MaskedScores, layer);
    const MaskOptions &masking = trace.model().config.masking;
    REQUIRE(masked.isNull() == masking.afterSoftmax);
    REQUIRE(trace.has(Stage::UnmaskedWeights, layer) == masking.afterSoftmax);
    if (masked.isNull())
        return;
    const Tensor scaled = trace.stage(Stage::ScaledScores, layer);
    for (Index b = 0; b < trace.batch().count(); ++b)
        for (Index h = 0; h < trace.model().config.heads; ++h)
            for (Index i = 0; i < trace.batch().length(); ++i)
                for (Index j = 0; j < trace.batch().length(); ++j)
                    REQUIRE(
                        masked.matrix(b, h)(i, j) ==
                        (trace.mask(b).hidden(i, j) ? masking.value : scaled.matrix(b, h)(i, j)));
}

void checkRow(const Trace &trace, Index layer, Index b, Index h, Index i) {
    const AttentionRowProperties weighting = weightingOf(trace, layer, h);
    const SharedMatrix weights = trace.stage(Stage::AttentionWeights, layer).matrix(b, h);
    double sum = 0;
    Index visible = 0;
    for (Index j = 0; j < weights.columns; ++j) {
        const float weight = weights(i, j);
        if (!weighting.mayBeNegative) {
            REQUIRE(weight >= 0);
            REQUIRE(weight <= 1.000001f);
        }
        const bool hidden = trace.mask(b).hidden(i, j);
        visible += hidden ? 0 : 1;
        if (hidden && weighting.hidesWholly)
            REQUIRE(weight == 0);
        sum += static_cast<double>(weight);
    }
    if (weighting.isUniform)
        for (Index j = 0; j < weights.columns; ++j)
            REQUIRE(weights(i, j) == (trace.mask(b).hidden(i, j) ? 0 : 1.0f / float(visible)));
    if (seesNothing(trace, b, layer, h, i)) {
        REQUIRE(sum == 0);
        // The mean is the same in every row.
        const SharedMatrix context = trace.stage(Stage::Context, layer).matrix(b, h);
        if (trace.input().interventions.stateOf(layer, h) != HeadState::Mean)
            for (const float value : context.row(i))
                REQUIRE(value == 0);
    } else if (weighting.sumsToOne) {
        REQUIRE(std::abs(sum - 1) < 1e-6);
    }
}

void checkLayer(const Trace &trace, Index layer) {
    checkMaskedScores(trace, layer);
    const Interventions &done = trace.input().interventions;
    for (const ScoreIntervention &said : done.scores)
        if (said.layer == layer)
            REQUIRE(trace.stage(Stage::Scores, layer)
                        .matrix(said.sequence, said.head)(said.query, said.key) == said.score);
    for (Index b = 0; b < trace.batch().count(); ++b)
        for (Index h = 0; h < trace.model().config.heads; ++h) {
            const SharedMatrix context = trace.stage(Stage::Context, layer).matrix(b, h);
            for (Index i = 0; i < trace.batch().length(); ++i) {
                checkRow(trace, layer, b, h, i);
                for (Index column = 0; column < context.columns; ++column) {
                    if (done.stateOf(layer, h) == HeadState::Zero)
                        REQUIRE(context(i, column) == 0);
                    if (done.stateOf(layer, h) == HeadState::Mean)
                        REQUIRE(context(i, column) == context(0, column));
                }
            }
        }
}

} // namespace

TEST_CASE("no NaN, rows of weights sum to 1 where they should, hidden cells weigh nothing") {
    Random random(20240601);
    int overflowed = 0;
    for (int trial = 0; trial < 600; ++trial) {
        CAPTURE(trial);
        const Model model = randomModel(random);
        const Input input = randomInput(random, model);
        const auto computed = forward(model, input);
        if (!computed.ok()) { // only possible without softmax, where numbers may overflow
            REQUIRE_FALSE(model.config.softmax);
            REQUIRE(computed.error().what.text().find("32-bit") != std::string::npos);
            ++overflowed;
            continue;
        }
        const Trace &trace = **computed;
        for (const std::string &name : trace.names())
            for (const float value : trace.stage(name).values())
                REQUIRE_FALSE(std::isnan(value));
        for (std::size_t layer = 0; layer < model.parameters.main.layers.size(); ++layer)
            checkLayer(trace, static_cast<Index>(layer));
    }
    CHECK(overflowed < 20);
}
