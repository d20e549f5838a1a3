#include "core/transformer/weights.h"

#include "core/tensor/shape.h"

#include <cstring>

namespace headlight::core {

namespace {

Outcome hasShape(const Parameter &parameter, const std::string &where, Index rows, Index columns) {
    if (parameter->rows() == rows && parameter->columns() == columns)
        return Done{};
    return Error{"the matrix is " + Shape{parameter->rows(), parameter->columns()}.text() +
                     ", expected " + Shape{rows, columns}.text(),
                 where, "its sizes follow from model.width, model.heads and model.head_size"};
}

} // namespace

bool sameNumbers(const Parameter &a, const Parameter &b) {
    return a == b || (a && b && a->rows() == b->rows() && a->columns() == b->columns() &&
                      std::memcmp(a->values().data(), b->values().data(),
                                  a->values().size() * sizeof(float)) == 0);
}

Outcome validate(const Weights &weights, const Config &config) {
    const Index c = config.width;
    const Index hd = config.concatenatedWidth();
    for (std::size_t layer = 0; layer < weights.layers.size(); ++layer) {
        const AttentionWeights &a = weights.layers[layer].selfAttention;
        const std::string where = "model.layers[" + std::to_string(layer) + "].self_attention.";
        struct Expected {
            const Parameter &parameter;
            const char *name;
            Index rows, columns;
            bool required;
        };
        const Expected all[] = {
            {a.query, "query", c, hd, true},           {a.key, "key", c, hd, true},
            {a.value, "value", c, hd, true},           {a.output, "output", hd, c, false},
            {a.queryBias, "query_bias", 1, hd, false}, {a.keyBias, "key_bias", 1, hd, false},
            {a.valueBias, "value_bias", 1, hd, false}, {a.outputBias, "output_bias", 1, c, false},
        };
        for (const Expected &expected : all) {
            if (!expected.parameter) {
                if (expected.required)
                    return Error{"the matrix is missing", where + expected.name, ""};
                continue;
            }
            Outcome outcome = hasShape(expected.parameter, where + expected.name, expected.rows,
                                       expected.columns);
            if (!outcome)
                return outcome;
        }
        if (a.outputBias && !a.output)
            return Error{"a bias without its matrix", where + "output_bias",
                         "give output as well, or leave the bias out"};
    }
    return Done{};
}

} // namespace headlight::core
