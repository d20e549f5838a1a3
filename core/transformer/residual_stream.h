// The tensors that run through a stack one after the other, from the words' vectors to what the
// last layer gives, each under all the names that a trace may have for it.
#pragma once

#include "core/transformer/model.h"
#include "core/transformer/stage.h"

#include <vector>

namespace headlight::core {

/// All the names of one tensor: where nothing is done between two stages they are the same numbers.
/// A trace need not have every one.
using StageNames = std::vector<StageAt>;

/// A part f of a layer, with its norm: y = x + f(norm(x)) and so on. Each is an index into the
/// stream's tensors; two are equal where there is no step between them.
struct Sublayer {
    Part part; ///< Attention or FeedForward
    Site site;
    std::size_t input;  ///< x
    std::size_t made;   ///< f(…)
    std::size_t sum;    ///< after the residual
    std::size_t result; ///< after the norm that comes last
};

struct ResidualStream {
    std::vector<StageNames> tensors{};
    std::size_t embeddings = 0;
    std::size_t embeddingSum = 0; ///< scaled, with positions and token types
    std::size_t positioned = 0;   ///< after the embedding norm
    std::size_t entering = 0;     ///< what the first layer reads, after the projection
    std::vector<Sublayer> sublayers{};
    std::size_t last = 0;    ///< what the last layer gives
    std::size_t leaving = 0; ///< after the final norm
};

/// In the order of the computation. The stack exists; Source has no layers.
ResidualStream residualStream(const Model &model, Stack stack);

} // namespace headlight::core
