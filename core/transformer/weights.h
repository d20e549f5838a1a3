// The learned numbers of a model. Each parameter is shared and never changed in place: an edit
// makes a new one, so two models are equal in a parameter exactly if they hold the same one.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"
#include "core/transformer/config.h"

#include <memory>
#include <vector>

namespace headlight::core {

/// Null: the model does not have it.
using Parameter = std::shared_ptr<const Matrix>;

inline Parameter makeParameter(Matrix matrix) {
    return std::make_shared<const Matrix>(std::move(matrix));
}

/// The same numbers in the same shape, bit for bit; two that do not exist are the same.
bool sameNumbers(const Parameter &a, const Parameter &b);

/// y = x·W, so W is [in, out]. Head h owns columns h·d … h·d + d − 1 of query, key and value, and
/// the same rows of output.
struct AttentionWeights {
    Parameter query;     ///< W_Q [C, H·d]
    Parameter key;       ///< W_K [C, H·d]
    Parameter value;     ///< W_V [C, H·d]
    Parameter output;    ///< W_O [H·d, C], or none: the concatenated heads are the output
    Parameter queryBias; ///< [1, H·d] or none, and so the next two
    Parameter keyBias;
    Parameter valueBias;
    Parameter outputBias;                                      ///< [1, C] or none; only with W_O
    bool operator==(const AttentionWeights &) const = default; // identities, not numbers
};

struct LayerWeights {
    AttentionWeights selfAttention;
    bool operator==(const LayerWeights &) const = default;
};

struct Weights {
    std::vector<LayerWeights> layers;
    bool operator==(const Weights &) const = default;
};

/// Every parameter has the shape that the config asks for; else the error names the parameter and
/// both shapes.
Outcome validate(const Weights &weights, const Config &config);

} // namespace headlight::core
