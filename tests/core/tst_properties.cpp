// What must hold for any model and any text, tried on a few hundred of them.
#include "fixture.h"

#include <cmath>

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

Index between(Random &random, Index low, Index high) {
    return low + static_cast<Index>(random.next() % static_cast<std::uint64_t>(high - low + 1));
}

Model randomModel(Random &random) {
    Model model;
    model.config.width = between(random, 1, 12);
    model.config.heads = between(random, 1, 8);
    model.config.headSize = between(random, 1, 6);
    model.config.scale = {static_cast<Scale::Kind>(random.next() % 3),
                          static_cast<float>(0.01 + 5 * random.uniform())};
    model.config.temperature = static_cast<float>(std::exp(3 * random.normal()));
    model.config.positions = random.next() % 2 ? Positions::None : Positions::Sinusoidal;
    const Index layers = between(random, 1, 3);
    for (Index layer = 0; layer < layers; ++layer)
        model.weights.layers.push_back(randomLayer(random, model.config,
                                                   layer + 1 < layers || random.next() % 2 == 0,
                                                   random.next() % 2 == 0));
    // Large vectors now and then, so that some softmax rows are as sharp as they can be.
    const float deviation = random.next() % 4 == 0 ? 300 : 1;
    model.embeddings =
        std::make_shared<const Embeddings>(Embeddings::Given{.width = model.config.width,
                                                             .words = {},
                                                             .seed = random.next(),
                                                             .deviation = deviation,
                                                             .ignoreCase = false});
    return model;
}

MaskLayers randomMasks(Random &random, Index length) {
    MaskLayers layers;
    for (Index count = between(random, 0, 3); count > 0; --count) {
        switch (random.next() % 4) {
        case 0:
            layers.emplace_back(CausalMask{});
            break;
        case 1:
            layers.emplace_back(PaddingMask{});
            break;
        case 2:
            layers.emplace_back(WindowMask{between(random, 1, 4), random.next() % 2 == 0});
            break;
        default: {
            CellMask cells;
            for (Index said = between(random, 1, 12); said > 0; --said)
                cells.cells.push_back({std::nullopt, between(random, 0, length),
                                       between(random, 0, length), random.next() % 3 == 0});
            layers.emplace_back(cells);
        }
        }
    }
    return layers;
}

void checkWeights(const Trace &trace, Index layer) {
    const Tensor weights = trace.stage(Stage::Weights, layer);
    const Tensor context = trace.stage(Stage::Context, layer);
    const Tensor masked = trace.stage(Stage::MaskedScores, layer);
    for (Index b = 0; b < trace.batch().count(); ++b)
        for (Index h = 0; h < trace.model().config.heads; ++h)
            for (Index i = 0; i < trace.batch().length(); ++i) {
                double sum = 0;
                for (Index j = 0; j < trace.batch().length(); ++j) {
                    const float weight = weights.matrix(b, h)(i, j);
                    REQUIRE(weight >= 0);
                    REQUIRE(weight <= 1.000001f);
                    const bool hidden = trace.mask(b).hidden(i, j);
                    REQUIRE(std::isinf(masked.matrix(b, h)(i, j)) == hidden);
                    if (hidden)
                        REQUIRE(weight == 0);
                    sum += static_cast<double>(weight);
                }
                if (trace.mask(b).seesNothing(i)) {
                    REQUIRE(sum == 0);
                    for (const float value : context.matrix(b, h).row(i))
                        REQUIRE(value == 0);
                } else {
                    REQUIRE(std::abs(sum - 1) < 1e-6);
                }
            }
}

} // namespace

TEST_CASE("no NaN, rows of weights sum to 1, hidden cells weigh exactly nothing") {
    Random random(20240601);
    for (int trial = 0; trial < 400; ++trial) {
        CAPTURE(trial);
        const Model model = randomModel(random);
        std::vector<std::string> texts(static_cast<std::size_t>(between(random, 1, 3)));
        for (std::string &text : texts)
            for (Index word = between(random, 1, 9); word > 0; --word)
                text += "w" + std::to_string(between(random, 0, 20)) + " ";
        Input input = inputOf(texts);
        input.masks = randomMasks(random, input.batch->length());
        const TracePointer trace = traceOf(model, input);
        for (const std::string &name : trace->names())
            for (const float value : trace->stage(name).values())
                REQUIRE_FALSE(std::isnan(value));
        for (std::size_t layer = 0; layer < model.weights.layers.size(); ++layer)
            checkWeights(*trace, static_cast<Index>(layer));
    }
}
