#include "core/analysis/attention_contribution.h"

#include "core/analysis/attention_row_properties.h"
#include "core/explain/sources.h"

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

bool handsValuesOnAsTheyAre(const Model &model, AttentionId attention) {
    if (!model.hasAttention(attention) || attention.block == Block::CrossAttention)
        return false; // cross-attention reads the values of another sequence
    const Config &config = model.config;
    const AttentionParameters &weights = model.attentionParameters(attention);
    return config.heads == 1 && !config.latent.isOn() && !config.hasNorm() && !config.residual &&
           weights.value && isIdentity(weights.value) && !weights.valueBias &&
           (!weights.output || isIdentity(weights.output)) && !weights.outputBias;
}

} // namespace

std::vector<ValueContribution> valueContributionsOf(const Trace &trace, const SequenceHeadId &place,
                                                    Index query) {
    const SharedMatrix weights =
        trace.matrix(Stage::AttentionWeights, place.attention(), place.sequence, place.head);
    const SharedMatrix value =
        trace.matrix(Stage::Value, place.attention(), place.sequence, place.head);
    if (weights.empty() || value.empty() ||
        !weightsMakeContext(trace, place.attention(), place.head))
        return {};
    const auto row = weights.row(query);
    std::vector<ValueContribution> pulls;
    std::vector<double> sum(static_cast<std::size_t>(value.columns), 0.0);
    for (Index key = 0; key < value.rows; ++key) {
        const float weight = row[static_cast<std::size_t>(key)];
        if (weight == 0)
            continue;
        ValueContribution pull{key, weight, sum, {}};
        for (std::size_t i = 0; i < sum.size(); ++i)
            sum[i] += static_cast<double>(weight) *
                      static_cast<double>(value(key, static_cast<Index>(i)));
        pull.to = sum;
        pulls.push_back(std::move(pull));
    }
    return pulls;
}

Result<AttentionShift> attentionShiftOf(const Trace &trace, Index sequence, AttentionId attention) {
    if (trace.model().isCaptured())
        return Error{"what the layer does with the output of its attention was not captured", "",
                     ""};
    const auto input = attentionInput(trace, attention);
    const Stage last = trace.has(Stage::Output, attention) ? Stage::Output : Stage::Concatenated;
    const SharedMatrix given = trace.matrix(last, attention, sequence, 0);
    if (!input || given.empty())
        return Error{"the embeddings or the output of the layer were not captured", "", ""};
    const SharedMatrix from = trace.matrix(input->stage, input->attention, sequence, 0);
    if (from.columns != given.columns)
        return Error{{"the layer outputs %1 dimensions but reads %2, so the two cannot be added",
                      given.columns, from.columns},
                     "",
                     "give the model an output matrix"};
    AttentionShift gravity;
    gravity.toContext = handsValuesOnAsTheyAre(trace.model(), attention);
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
