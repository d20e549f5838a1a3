#include "core/analysis/attention_pull.h"

#include <algorithm>

namespace headlight::core {

namespace {

bool isIdentity(const Parameter &parameter) {
    if (parameter->rows() != parameter->columns())
        return false;
    for (Index row = 0; row < parameter->rows(); ++row)
        for (Index column = 0; column < parameter->columns(); ++column)
            if ((*parameter)(row, column) != (row == column ? 1.0f : 0.0f))
                return false;
    return true;
}

bool handsValuesOnAsTheyAre(const Model &model, Index layer) {
    if (layer >= static_cast<Index>(model.weights.main.layers.size()))
        return false; // a capture
    const AttentionWeights &weights =
        model.weights.main.layers[static_cast<std::size_t>(layer)].selfAttention;
    return model.config.heads == 1 && weights.value && isIdentity(weights.value) &&
           !weights.valueBias && (!weights.output || isIdentity(weights.output)) &&
           !weights.outputBias;
}

} // namespace

std::vector<Pull> pullsOf(const Trace &trace, const HeadPlace &place, Index query) {
    const Tensor weights = trace.stage(Stage::Weights, place.site());
    const Tensor values = trace.stage(Stage::Value, place.site());
    if (weights.isNull() || values.isNull())
        return {};
    const auto row = weights.matrix(place.sequence, place.head).row(query);
    const MatrixView value = values.matrix(place.sequence, place.head);
    std::vector<Pull> pulls;
    std::vector<double> sum(static_cast<std::size_t>(value.columns), 0.0);
    for (Index key = 0; key < value.rows; ++key) {
        const float weight = row[static_cast<std::size_t>(key)];
        if (weight == 0)
            continue;
        Pull pull{key, weight, sum, {}};
        for (std::size_t i = 0; i < sum.size(); ++i)
            sum[i] += static_cast<double>(weight) *
                      static_cast<double>(value(key, static_cast<Index>(i)));
        pull.to = sum;
        pulls.push_back(std::move(pull));
    }
    return pulls;
}

Result<Gravity> gravityOf(const Trace &trace, Index sequence, Index layer) {
    const Tensor input = trace.stage(Stage::LayerInput, layer);
    const Tensor output = trace.has(Stage::Output, layer) ? trace.stage(Stage::Output, layer)
                                                          : trace.stage(Stage::Concatenated, layer);
    if (input.isNull() || output.isNull())
        return Error{"the embeddings or the output of the layer were not captured", "", ""};
    const MatrixView from = input.matrix(sequence);
    const MatrixView given = output.matrix(sequence);
    if (from.columns != given.columns)
        return Error{"the layer gives " + std::to_string(given.columns) +
                         " numbers a token and reads " + std::to_string(from.columns) +
                         ": the two cannot be added",
                     "", "give the model a W_O"};
    Gravity gravity;
    gravity.toContext = handsValuesOnAsTheyAre(trace.model(), layer);
    gravity.from = Matrix(from.rows, from.columns);
    gravity.to = Matrix(from.rows, from.columns);
    for (Index token = 0; token < from.rows; ++token)
        for (Index i = 0; i < from.columns; ++i) {
            gravity.from(token, i) = from(token, i);
            gravity.to(token, i) =
                gravity.toContext ? given(token, i) : from(token, i) + given(token, i);
        }
    return gravity;
}

} // namespace headlight::core
