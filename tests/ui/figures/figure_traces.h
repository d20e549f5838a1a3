// Traces of small random models for the tests of figures.
#pragma once

#include "core/random.h"
#include "tests/support/forward.h"

#include <cmath>
#include <cstdlib>
#include <iostream>

namespace headlight::test {

struct TraceRecipe {
    std::vector<std::vector<std::string>> tokens{
        {"She", "visited", "the", "money", "bank", "near", "river", "bank"}};
    core::Index width = 32;
    core::Index heads = 2;
    core::Index headSize = 16;
    core::Index layers = 1;
    core::Index atLeast = 0; ///< minimum length of the batch, reached with padding
    bool output = true;
    core::Positions positions = core::Positions::None;
    core::MaskLayers masks{core::CausalMask{}};
    std::uint64_t seed = 7;
    core::MaskOptions masking{};
    bool softmax = true;
    core::Interventions interventions{};
};

inline core::Parameter randomMatrix(core::Random &random, core::Index rows, core::Index columns) {
    core::Matrix matrix(rows, columns);
    for (core::Index r = 0; r < rows; ++r)
        for (core::Index c = 0; c < columns; ++c)
            matrix(r, c) =
                static_cast<float>(random.normal() / std::sqrt(static_cast<double>(rows)) * 1.4);
    return core::makeParameter(std::move(matrix));
}

inline core::TracePointer makeTrace(const TraceRecipe &recipe = {}) {
    core::Random random(recipe.seed);
    core::Model model;
    model.config.width = recipe.width;
    model.config.heads = recipe.heads;
    model.config.headSize = recipe.headSize;
    model.config.positions = recipe.positions;
    model.config.masking = recipe.masking;
    model.config.softmax = recipe.softmax;
    const core::Index inner = recipe.heads * recipe.headSize;
    for (core::Index layer = 0; layer < recipe.layers; ++layer) {
        core::AttentionParameters weights;
        weights.query = randomMatrix(random, recipe.width, inner);
        weights.key = randomMatrix(random, recipe.width, inner);
        weights.value = randomMatrix(random, recipe.width, inner);
        if (recipe.output)
            weights.output = randomMatrix(random, inner, recipe.width);
        model.parameters.main.layers.push_back({weights});
    }
    core::Embeddings::Given given;
    given.width = recipe.width;
    given.seed = recipe.seed;
    model.embeddings = std::make_shared<const core::Embeddings>(given);
    const auto batch = core::Batch::ofWords(recipe.tokens, recipe.atLeast);
    if (!batch) {
        std::cerr << batch.error().text() << '\n';
        std::abort();
    }
    const auto trace = test::forward(model, {*batch, recipe.masks, recipe.interventions});
    if (!trace) {
        std::cerr << trace.error().text() << '\n';
        std::abort();
    }
    return *trace;
}

inline std::vector<std::string> manyTokens(core::Index count) {
    std::vector<std::string> tokens;
    for (core::Index i = 0; i < count; ++i)
        tokens.push_back("word" + std::to_string(i));
    return tokens;
}

} // namespace headlight::test
