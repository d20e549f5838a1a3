#include "core/transformer/attention.h"

#include "core/operations/alibi.h"
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

} // namespace

Attention::Attention(const Pass &pass, Site site)
    : m_recorder(pass.recorder),
      m_config(pass.model.config),
      m_input(pass.input),
      m_masks(pass.masks.of(site)),
      m_site(site),
      m_weights(pass.model.attention(site)),
      m_positionBias(pass.model.stack(site.stack).positionBias),
      m_previous(pass.recorder.previous()),
      m_before(site.block == Block::SelfAttention
                   ? pass.layerBefore(site.stack, site.layer).selfAttention
                   : pass.layerBefore(site.stack, site.layer).crossAttention) {
    if (!m_before.query)
        m_previous = nullptr;
}

Computed Attention::run(const Computed &input, const Computed &memory) {
    using W = AttentionWeights;
    const Index heads = m_config.heads, groups = m_config.groups();
    const bool turns = m_config.positions == Positions::Rotary && isSelf();
    Computed query = project(turns ? Stage::UnrotatedQuery : Stage::Query, input, &W::query,
                             &W::queryBias, heads);
    Computed key =
        project(turns ? Stage::UnrotatedKey : Stage::Key, memory, &W::key, &W::keyBias, groups);
    if (turns) {
        query = rotated(Stage::Query, query);
        key = rotated(Stage::Key, key);
    }
    const Computed value = project(Stage::Value, memory, &W::value, &W::valueBias, groups);
    const Computed context = attend(weigh(score(query, key)), value);
    const Computed concatenated = concatenate(context);
    return m_weights.output ? output(context, concatenated) : concatenated;
}

bool Attention::isSameMask(Index sequence) const {
    const TraceMasks::List &before = m_previous->masks(m_site);
    return before == m_masks || (*before)[static_cast<std::size_t>(sequence)] == maskOf(sequence);
}

Computed Attention::project(Stage which, const Computed &input, Weight weight, Weight bias,
                            Index heads) {
    const Index d = m_config.headSize;
    const auto sameWeight = sameColumns(m_before.*weight, m_weights.*weight, heads);
    const auto sameBias = sameColumns(m_before.*bias, m_weights.*bias, heads);
    const MatrixView all = (m_weights.*weight)->view();
    const auto allBias = rowOf(m_weights.*bias);
    const Shape shape{input.shape()[0], heads, input.shape()[1], d};
    return m_recorder.stage(
        which, m_site, shape,
        [&](Index b, Index h) { return input.isSame(b) && at(sameWeight, h) && at(sameBias, h); },
        [&](Index b, Index h, MutableMatrixView out) {
            const auto headBias = allBias.empty() ? allBias
                                                  : allBias.subspan(static_cast<std::size_t>(h * d),
                                                                    static_cast<std::size_t>(d));
            linear(input.matrix(b), all.columnBlock(h * d, d), headBias, out, m_recorder.stop());
        });
}

Computed Attention::rotated(Stage which, const Computed &from) {
    const RotaryTable table(m_config.rotary, m_config.headSize, from.shape()[2]);
    return m_recorder.stage(
        which, m_site, from.shape(),
        [&](Index b, Index h) { return from.isSame(b, h); }, // the same structure turns the same
        [&](Index b, Index h, MutableMatrixView out) { rotate(from.matrix(b, h), table, out); });
}

Computed Attention::score(const Computed &query, const Computed &key) {
    const Shape shape{query.shape()[0], query.shape()[1], query.shape()[2], key.shape()[2]};
    return m_recorder.stage(
        Stage::Scores, m_site, shape,
        [&](Index b, Index h) {
            return query.isSame(b, h) && key.isSame(b, groupOf(h)) &&
                   std::ranges::equal(m_input.interventions.scoresOf(b, m_site, h),
                                      m_previous->input().interventions.scoresOf(b, m_site, h));
        },
        [this, query, key](Index b, Index h, MutableMatrixView out) {
            multiplyTransposed(query.matrix(b, h), key.matrix(b, groupOf(h)), out,
                               m_recorder.stop());
            for (const ScoreIntervention &said : m_input.interventions.scoresOf(b, m_site, h))
                out(said.query, said.key) = said.score;
        });
}

Computed Attention::weigh(const Computed &scores) {
    const float factor = m_config.scale.factor(m_config.headSize);
    Computed scaled = m_recorder.stage(
        Stage::ScaledScores, m_site, scores.shape(),
        [&](Index b, Index h) {
            const Config &config = m_previous->model().config;
            return scores.isSame(b, h) && config.scale.factor(config.headSize) == factor;
        },
        [this, scores, factor](Index b, Index h, MutableMatrixView out) {
            const MatrixView from = scores.matrix(b, h);
            for (Index i = 0; i < out.rows && !m_recorder.cancelled(); ++i)
                std::ranges::transform(from.row(i), out.row(i).begin(),
                                       [factor](float score) { return score * factor; });
        });
    const bool adds =
        m_config.positions == Positions::Alibi || m_config.positions == Positions::Relative;
    if (adds && isSelf())
        scaled = addPositions(scaled);
    return weights(m_config.masking.afterSoftmax ? unmaskedWeights(scaled) : mask(scaled));
}

Computed Attention::positionBias(const Shape &scores) {
    const Shape shape{1, scores[1], scores[2], scores[3]};
    const bool isAlibi = m_config.positions == Positions::Alibi;
    const bool bothWays = m_site.stack != Stack::Decoder;
    // Every layer's is the first one's.
    const Site first(0, m_site.block, m_site.stack);
    if (const auto shared = m_recorder.recorded(Stage::PositionBias, first))
        return m_recorder.alias(Stage::PositionBias, m_site, *shared);
    const auto sameTable = [this](Index head) {
        const Parameter &before = m_previous->model().stack(m_site.stack).positionBias;
        if (sameNumbers(before, m_positionBias))
            return true;
        for (Index bucket = 0; bucket < before->rows(); ++bucket)
            if ((*before)(bucket, head) != (*m_positionBias)(bucket, head))
                return false;
        return true;
    };
    return m_recorder.stage(
        Stage::PositionBias, m_site, shape, [&](Index, Index h) { return isAlibi || sameTable(h); },
        [this, isAlibi, bothWays](Index, Index h, MutableMatrixView out) {
            if (isAlibi)
                alibiBias(alibiSlopes(m_config.heads)[static_cast<std::size_t>(h)], out);
            else
                relativeBias(m_positionBias->view(), m_config.relative, bothWays, h, out);
        });
}

Computed Attention::addPositions(const Computed &scaled) {
    const Computed bias = positionBias(scaled.shape());
    return m_recorder.stage(
        Stage::BiasedScores, m_site, scaled.shape(),
        [&](Index b, Index h) { return scaled.isSame(b, h) && bias.isSame(0, h); },
        [scaled, bias](Index b, Index h, MutableMatrixView out) {
            add(scaled.matrix(b, h), bias.matrix(0, h), out);
        });
}

Computed Attention::mask(const Computed &scores) {
    const float value = m_config.masking.value;
    return m_recorder.stage(
        Stage::MaskedScores, m_site, scores.shape(),
        [&](Index b, Index h) {
            return scores.isSame(b, h) && isSameMask(b) &&
                   m_previous->model().config.masking.value == value;
        },
        [this, scores, value](Index b, Index h, MutableMatrixView out) {
            applyMask(scores.matrix(b, h), maskOf(b), value, out, m_recorder.stop());
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

Computed Attention::unmaskedWeights(const Computed &scores) {
    return m_recorder.stage(
        Stage::UnmaskedWeights, m_site, scores.shape(),
        [&](Index b, Index h) {
            const Config &config = m_previous->model().config;
            return scores.isSame(b, h) && config.softmax == m_config.softmax &&
                   config.temperature == m_config.temperature;
        },
        [this, scores](Index b, Index h, MutableMatrixView out) {
            const MatrixView from = scores.matrix(b, h);
            for (Index i = 0; i < out.rows && !m_recorder.cancelled(); ++i)
                weighRow(from.row(i), out.row(i));
        });
}

Computed Attention::weights(const Computed &maskedOrUnmasked) {
    const bool after = m_config.masking.afterSoftmax;
    return m_recorder.stage(
        Stage::Weights, m_site, maskedOrUnmasked.shape(),
        [&](Index b, Index h) {
            const Config &config = m_previous->model().config;
            return maskedOrUnmasked.isSame(b, h) && isSameMask(b) &&
                   (stateBefore(h) == HeadState::Uniform) == (stateOf(h) == HeadState::Uniform) &&
                   config.masking.afterSoftmax == after && config.softmax == m_config.softmax &&
                   config.temperature == m_config.temperature;
        },
        [this, maskedOrUnmasked, after](Index b, Index h, MutableMatrixView out) {
            const MatrixView from = maskedOrUnmasked.matrix(b, h);
            if (stateOf(h) == HeadState::Uniform)
                uniformWeights(maskOf(b), out);
            else if (after)
                applyMask(from, maskOf(b), 0, out, m_recorder.stop());
            else
                for (Index i = 0; i < out.rows && !m_recorder.cancelled(); ++i)
                    weighRow(from.row(i), out.row(i));
        });
}

Computed Attention::attend(const Computed &weights, const Computed &value) {
    const Shape &rows = weights.shape();
    const Batch &batch = m_input.queries(m_site);
    return m_recorder.stage(
        Stage::Context, m_site, {rows[0], rows[1], rows[2], m_config.headSize},
        [&](Index b, Index h) {
            return weights.isSame(b, h) && value.isSame(b, groupOf(h)) &&
                   ofContext(stateBefore(h)) == ofContext(stateOf(h)) &&
                   m_previous->queries(m_site)[b].length == batch[b].length;
        },
        [&](Index b, Index h, MutableMatrixView out) {
            if (stateOf(h) == HeadState::Zero)
                return; // as it is
            multiply(weights.matrix(b, h), value.matrix(b, groupOf(h)), out, m_recorder.stop());
            if (stateOf(h) == HeadState::Mean)
                replaceByMean(out, batch[b].length);
        });
}

Computed Attention::concatenate(const Computed &context) {
    const Shape &heads = context.shape();
    const Index d = heads[3];
    return m_recorder.stage(
        Stage::Concatenated, m_site, Shape{heads[0], heads[2], heads[1] * d},
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
    const Shape &heads = context.shape();
    const Shape shape{heads[0], heads[2], m_config.width};
    if (shape.count() * heads[1] <= kMaximumHeadOutputs)
        return sumOfHeads(context);
    const bool sameWeights = at(sameRows(m_before.output, m_weights.output, 1), 0) &&
                             at(sameRows(m_before.outputBias, m_weights.outputBias, 1), 0);
    return m_recorder.stage(
        Stage::Output, m_site, shape,
        [&](Index b, Index) { return concatenated.isSame(b) && sameWeights; },
        [&](Index b, Index, MutableMatrixView out) {
            linear(concatenated.matrix(b), m_weights.output->view(), rowOf(m_weights.outputBias),
                   out, m_recorder.stop());
        });
}

/// Concat(heads)·W_O = Σ_h context_h · W_O[h·d … h·d + d − 1, :].
Computed Attention::sumOfHeads(const Computed &context) {
    const Shape &heads = context.shape();
    const Index d = heads[3];
    const auto sameWeight = sameRows(m_before.output, m_weights.output, m_config.heads);
    const Fill fillPart = [&](Index b, Index h, MutableMatrixView out) {
        multiply(context.matrix(b, h), m_weights.output->view().rowBlock(h * d, d), out,
                 m_recorder.stop());
    };
    const Shape partsShape{heads[0], heads[1], heads[2], m_config.width};
    Computed parts;
    if (m_recorder.keepsEverything())
        parts = m_recorder.headOutputs(
            m_site, partsShape,
            [&](Index b, Index h) { return context.isSame(b, h) && at(sameWeight, h); }, fillPart);
    else // one at a time, added in the same order, so that the sum is the same to the last bit
        parts = {{},
                 std::vector<bool>(static_cast<std::size_t>(heads[0] * heads[1]), false),
                 std::make_shared<VirtualStage>(partsShape, fillPart)};
    const bool sameBias = at(sameRows(m_before.outputBias, m_weights.outputBias, 1), 0);
    return m_recorder.stage(
        Stage::Output, m_site, Shape{heads[0], heads[2], m_config.width},
        [&](Index b, Index) { return parts.isSameInAllHeads(b) && sameBias; },
        [&](Index b, Index, MutableMatrixView out) {
            for (Index h = 0; h < heads[1]; ++h)
                add(out, parts.matrix(b, h), out);
            if (m_weights.outputBias)
                for (Index t = 0; t < out.rows; ++t)
                    std::ranges::transform(out.row(t), rowOf(m_weights.outputBias),
                                           out.row(t).begin(), std::plus());
        });
}

} // namespace headlight::core
