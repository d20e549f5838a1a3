#include "core/transformer/attention.h"

#include "core/operations/head_state.h"
#include "core/operations/linear.h"
#include "core/operations/softmax.h"
#include "core/tensor/product.h"
#include "core/transformer/parameter_blocks.h"

#include <algorithm>
#include <limits>

namespace headlight::core {

namespace {

/// Of the two states that a context does not know from each other.
HeadState ofContext(HeadState state) {
    return state == HeadState::Uniform ? HeadState::On : state;
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool at(const std::vector<bool> &flags, Index index) {
    return flags[static_cast<std::size_t>(index)];
}

std::span<const float> rowOf(const Parameter &bias) {
    return bias ? bias->view().row(0) : std::span<const float>();
}

} // namespace

Attention::Attention(StageRecorder &recorder, const Model &model, const Input &input,
                     const Masks &masks, Index layer)
    : m_recorder(recorder),
      m_model(model),
      m_config(model.config),
      m_input(input),
      m_masks(masks),
      m_layer(layer),
      m_weights(model.weights.main.layers[static_cast<std::size_t>(layer)].selfAttention),
      m_previous(recorder.previous()) {
    if (m_previous && layer >= static_cast<Index>(m_previous->model().weights.main.layers.size()))
        m_previous = nullptr;
}

Computed Attention::run(const Computed &input) {
    const Computed query =
        project(Stage::Query, input, &AttentionWeights::query, &AttentionWeights::queryBias);
    const Computed key =
        project(Stage::Key, input, &AttentionWeights::key, &AttentionWeights::keyBias);
    const Computed value =
        project(Stage::Value, input, &AttentionWeights::value, &AttentionWeights::valueBias);
    const Computed context = attend(weigh(score(query, key)), value);
    const Computed concatenated = concatenate(context);
    return m_weights.output ? output(context, concatenated) : concatenated;
}

const Parameter &Attention::before(Parameter AttentionWeights::*member) const {
    static const Parameter none;
    return m_previous ? m_previous->model()
                                .weights.main.layers[static_cast<std::size_t>(m_layer)]
                                .selfAttention.*
                            member
                      : none;
}

bool Attention::isSameMask(Index sequence) const {
    return m_previous->masks() == m_masks || m_previous->mask(sequence) == maskOf(sequence);
}

Computed Attention::project(Stage which, const Computed &input, Parameter AttentionWeights::*weight,
                            Parameter AttentionWeights::*bias) {
    const Index heads = m_config.heads, d = m_config.headSize;
    const auto sameWeight = sameColumns(before(weight), m_weights.*weight, heads);
    const auto sameBias = sameColumns(before(bias), m_weights.*bias, heads);
    const MatrixView all = (m_weights.*weight)->view();
    const auto allBias = rowOf(m_weights.*bias);
    const Shape shape{input.tensor.shape()[0], heads, input.tensor.shape()[1], d};
    return m_recorder.stage(
        which, m_layer, shape,
        [&](Index b, Index h) { return input.isSame(b) && at(sameWeight, h) && at(sameBias, h); },
        [&](Index b, Index h, MutableMatrixView out) {
            const auto headBias = allBias.empty() ? allBias
                                                  : allBias.subspan(static_cast<std::size_t>(h * d),
                                                                    static_cast<std::size_t>(d));
            linear(input.matrix(b), all.columnBlock(h * d, d), headBias, out);
        });
}

Computed Attention::score(const Computed &query, const Computed &key) {
    const Shape &vectors = query.tensor.shape();
    const Shape square{vectors[0], vectors[1], vectors[2], vectors[2]};
    return m_recorder.stage(
        Stage::Scores, m_layer, square,
        [&](Index b, Index h) {
            return query.isSame(b, h) && key.isSame(b, h) &&
                   std::ranges::equal(m_input.interventions.scoresOf(b, m_layer, h),
                                      m_previous->input().interventions.scoresOf(b, m_layer, h));
        },
        [&](Index b, Index h, MutableMatrixView out) {
            multiplyTransposed(query.matrix(b, h), key.matrix(b, h), out);
            for (const ScoreIntervention &said : m_input.interventions.scoresOf(b, m_layer, h))
                out(said.query, said.key) = said.score;
        });
}

Computed Attention::weigh(const Computed &scores) {
    const float factor = m_config.scale.factor(m_config.headSize);
    const Computed scaled = m_recorder.stage(
        Stage::ScaledScores, m_layer, scores.tensor.shape(),
        [&](Index b, Index h) {
            const Config &config = m_previous->model().config;
            return scores.isSame(b, h) && config.scale.factor(config.headSize) == factor;
        },
        [&](Index b, Index h, MutableMatrixView out) {
            const MatrixView from = scores.matrix(b, h);
            for (Index i = 0; i < out.rows; ++i)
                std::ranges::transform(from.row(i), out.row(i).begin(),
                                       [factor](float score) { return score * factor; });
        });
    return weights(m_config.masking.afterSoftmax ? unmaskedWeights(scaled) : mask(scaled));
}

Computed Attention::mask(const Computed &scaled) {
    const float value = m_config.masking.value;
    return m_recorder.stage(
        Stage::MaskedScores, m_layer, scaled.tensor.shape(),
        [&](Index b, Index h) {
            return scaled.isSame(b, h) && isSameMask(b) &&
                   m_previous->model().config.masking.value == value;
        },
        [&](Index b, Index h, MutableMatrixView out) {
            applyMask(scaled.matrix(b, h), maskOf(b), value, out);
        },
        value == -kInfinity);
}

void Attention::weighRow(std::span<const float> scores, std::span<float> weights) const {
    const float temperature = m_config.temperature;
    if (m_config.softmax)
        softmax(scores, temperature, weights);
    else
        std::ranges::transform(scores, weights.begin(), [temperature](float score) {
            return score == -kInfinity ? 0 : score / temperature;
        });
}

Computed Attention::unmaskedWeights(const Computed &scaled) {
    return m_recorder.stage(
        Stage::UnmaskedWeights, m_layer, scaled.tensor.shape(),
        [&](Index b, Index h) {
            const Config &config = m_previous->model().config;
            return scaled.isSame(b, h) && config.softmax == m_config.softmax &&
                   config.temperature == m_config.temperature;
        },
        [&](Index b, Index h, MutableMatrixView out) {
            for (Index i = 0; i < out.rows; ++i)
                weighRow(scaled.matrix(b, h).row(i), out.row(i));
        });
}

Computed Attention::weights(const Computed &maskedOrUnmasked) {
    const bool after = m_config.masking.afterSoftmax;
    return m_recorder.stage(
        Stage::Weights, m_layer, maskedOrUnmasked.tensor.shape(),
        [&](Index b, Index h) {
            const Config &config = m_previous->model().config;
            return maskedOrUnmasked.isSame(b, h) && isSameMask(b) &&
                   (stateBefore(h) == HeadState::Uniform) == (stateOf(h) == HeadState::Uniform) &&
                   config.masking.afterSoftmax == after && config.softmax == m_config.softmax &&
                   config.temperature == m_config.temperature;
        },
        [&](Index b, Index h, MutableMatrixView out) {
            const MatrixView from = maskedOrUnmasked.matrix(b, h);
            if (stateOf(h) == HeadState::Uniform)
                uniformWeights(maskOf(b), out);
            else if (after)
                applyMask(from, maskOf(b), 0, out);
            else
                for (Index i = 0; i < out.rows; ++i)
                    weighRow(from.row(i), out.row(i));
        });
}

Computed Attention::attend(const Computed &weights, const Computed &value) {
    return m_recorder.stage(
        Stage::Context, m_layer, value.tensor.shape(),
        [&](Index b, Index h) {
            return weights.isSame(b, h) && value.isSame(b, h) &&
                   ofContext(stateBefore(h)) == ofContext(stateOf(h)) &&
                   m_previous->batch()[b].length == (*m_input.batch)[b].length;
        },
        [&](Index b, Index h, MutableMatrixView out) {
            if (stateOf(h) == HeadState::Zero)
                return; // as it is
            multiply(weights.matrix(b, h), value.matrix(b, h), out);
            if (stateOf(h) == HeadState::Mean)
                replaceByMean(out, (*m_input.batch)[b].length);
        });
}

Computed Attention::concatenate(const Computed &context) {
    const Shape &heads = context.tensor.shape();
    const Index d = heads[3];
    return m_recorder.stage(
        Stage::Concatenated, m_layer, Shape{heads[0], heads[2], heads[1] * d},
        [&](Index b, Index) { return context.isSameInAllHeads(b); },
        [&](Index b, Index, MutableMatrixView out) {
            for (Index h = 0; h < heads[1]; ++h) {
                const MatrixView head = context.matrix(b, h);
                const MutableMatrixView place = out.columnBlock(h * d, d);
                for (Index t = 0; t < head.rows; ++t)
                    std::ranges::copy(head.row(t), place.row(t).begin());
            }
        });
}

Computed Attention::output(const Computed &context, const Computed &concatenated) {
    const Shape &heads = context.tensor.shape();
    const Shape shape{heads[0], heads[2], m_config.width};
    if (shape.count() * heads[1] <= kMaximumHeadOutputs)
        return sumOfHeads(context);
    const bool sameWeights =
        at(sameRows(before(&AttentionWeights::output), m_weights.output, 1), 0) &&
        at(sameRows(before(&AttentionWeights::outputBias), m_weights.outputBias, 1), 0);
    return m_recorder.stage(
        Stage::Output, m_layer, shape,
        [&](Index b, Index) { return concatenated.isSame(b) && sameWeights; },
        [&](Index b, Index, MutableMatrixView out) {
            linear(concatenated.matrix(b), m_weights.output->view(), rowOf(m_weights.outputBias),
                   out);
        });
}

/// Concat(heads)·W_O = Σ_h context_h · W_O[h·d … h·d + d − 1, :].
Computed Attention::sumOfHeads(const Computed &context) {
    const Shape &heads = context.tensor.shape();
    const Index d = heads[3];
    const auto sameWeight =
        sameRows(before(&AttentionWeights::output), m_weights.output, m_config.heads);
    const Computed parts = m_recorder.headOutputs(
        m_layer, Shape{heads[0], heads[1], heads[2], m_config.width},
        [&](Index b, Index h) { return context.isSame(b, h) && at(sameWeight, h); },
        [&](Index b, Index h, MutableMatrixView out) {
            multiply(context.matrix(b, h), m_weights.output->view().rowBlock(h * d, d), out);
        });
    const bool sameBias =
        at(sameRows(before(&AttentionWeights::outputBias), m_weights.outputBias, 1), 0);
    return m_recorder.stage(
        Stage::Output, m_layer, Shape{heads[0], heads[2], m_config.width},
        [&](Index b, Index) { return parts.isSameInAllHeads(b) && sameBias; },
        [&](Index b, Index, MutableMatrixView out) {
            for (Index h = 0; h < heads[1]; ++h)
                for (Index t = 0; t < out.rows; ++t)
                    std::ranges::transform(out.row(t), parts.matrix(b, h).row(t),
                                           out.row(t).begin(), std::plus());
            if (m_weights.outputBias)
                for (Index t = 0; t < out.rows; ++t)
                    std::ranges::transform(out.row(t), rowOf(m_weights.outputBias),
                                           out.row(t).begin(), std::plus());
        });
}

} // namespace headlight::core
