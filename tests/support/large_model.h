// A model with random weights of any size, for measuring.
#pragma once

#include "core/random.h"
#include "core/transformer/trace.h"

#include <cmath>

namespace headlight::test {

inline core::Parameter randomParameter(core::Index rows, core::Index columns, std::uint64_t seed) {
    core::Matrix matrix(rows, columns);
    core::Random random(seed);
    for (core::Index row = 0; row < rows; ++row)
        for (float &number : matrix.view().row(row))
            number = static_cast<float>(random.normal() / std::sqrt(static_cast<double>(rows)));
    return core::makeParameter(std::move(matrix));
}

inline core::Model largeModel(core::Index width, core::Index heads) {
    core::Model model;
    model.config.width = width;
    model.config.heads = heads;
    model.config.headSize = width / heads;
    core::AttentionWeights attention;
    attention.query = randomParameter(width, width, 1);
    attention.key = randomParameter(width, width, 2);
    attention.value = randomParameter(width, width, 3);
    attention.output = randomParameter(width, width, 4);
    model.weights.main.layers.push_back({attention});
    core::Embeddings::Given given;
    given.width = width;
    given.seed = 5;
    model.embeddings = std::make_shared<const core::Embeddings>(std::move(given));
    return model;
}

inline core::BatchPointer wordBatch(core::Index length) {
    std::vector<std::string> words;
    for (core::Index t = 0; t < length; ++t)
        words.push_back("word" + std::to_string(t));
    return *core::Batch::create({std::move(words)});
}

} // namespace headlight::test
