// Small models and inputs for the tests of the engine.
#pragma once

#include "core/random.h"
#include "tests/support/forward.h"

#include <doctest/doctest.h>
#include <iterator>
#include <sstream>

namespace headlight::core::test {

inline Parameter randomMatrix(Random &random, Index rows, Index columns, double deviation = 0.5) {
    Matrix matrix(rows, columns);
    for (Index r = 0; r < rows; ++r)
        for (Index c = 0; c < columns; ++c)
            matrix(r, c) = static_cast<float>(deviation * random.normal());
    return makeParameter(std::move(matrix));
}

inline LayerParameters randomLayer(Random &random, const Config &config, bool output = true,
                                   bool biases = false) {
    const Index c = config.width, hd = config.concatenatedWidth();
    AttentionParameters a;
    a.query = randomMatrix(random, c, hd);
    a.key = randomMatrix(random, c, hd);
    a.value = randomMatrix(random, c, hd);
    if (output)
        a.output = randomMatrix(random, hd, c);
    if (biases) {
        a.queryBias = randomMatrix(random, 1, hd);
        a.keyBias = randomMatrix(random, 1, hd);
        a.valueBias = randomMatrix(random, 1, hd);
        if (output)
            a.outputBias = randomMatrix(random, 1, c);
    }
    return {a};
}

/// Returns a model of width 4 with two heads of size 2 and W_O.
inline Model smallModel(std::size_t layers = 1) {
    Model model;
    model.config = {.width = 4,
                    .heads = 2,
                    .headSize = 2,
                    .scale = {},
                    .temperature = 1,
                    .positions = Positions::None};
    Random random(11);
    for (std::size_t layer = 0; layer < layers; ++layer)
        model.parameters.main.layers.push_back(randomLayer(random, model.config));
    model.embeddings = std::make_shared<const Embeddings>(
        Embeddings::Given{.width = 4, .words = {}, .seed = 3, .deviation = 1, .ignoreCase = false});
    return model;
}

inline Input inputOf(const std::vector<std::string> &texts, MaskLayers masks = {}) {
    std::vector<std::vector<std::string>> tokens;
    for (const std::string &text : texts) {
        std::istringstream words(text);
        tokens.emplace_back(std::istream_iterator<std::string>(words),
                            std::istream_iterator<std::string>());
    }
    auto batch = Batch::ofWords(std::move(tokens));
    REQUIRE(batch.ok());
    return {*batch, std::move(masks)};
}

inline TracePointer traceOf(const Model &model, const Input &input,
                            const TracePointer &previous = nullptr) {
    auto trace = headlight::test::forward(model, input, previous);
    REQUIRE_MESSAGE(trace.ok(), (trace.ok() ? "" : trace.error().text()));
    return *trace;
}

} // namespace headlight::core::test
