#include "core/transformer/attention_backward.h"

#include "core/operations/head_state.h"
#include "core/operations/linear.h"
#include "core/operations/scores.h"
#include "core/tensor/product.h"
#include "core/transformer/attention_weights_backward.h"

#include <algorithm>

namespace headlight::core {

namespace {

class AttentionBackward {
  public:
    AttentionBackward(const BackwardPass &pass, Site site)
        : m_pass(pass),
          m_config(pass.config()),
          m_site(site),
          m_weights(pass.model().attention(site)),
          m_sums(pass.sumsOf(site)) {}

    AttentionSources run(Adjoint made, const StageNames &queries, const StageNames &keys) {
        Adjoint context;
        if (Adjoint together = throughOutput(std::move(made)); !together.isNull())
            context = splitHeads(together, m_config.heads);
        arrive(Stage::Context, context);
        silence(context);
        Adjoint weights, value, query, key;
        throughContext(context, weights, value);
        arrive(Stage::Value, value);
        Adjoint scores = attentionWeightsBackward(m_pass, m_site, std::move(weights));
        throughScores(scores, query, key);
        arrive(Stage::Query, query);
        arrive(Stage::Key, key);
        if (m_config.positions == Positions::Rotary && m_site.block == Block::SelfAttention) {
            turnBack(query);
            turnBack(key);
            arrive(Stage::UnrotatedQuery, query);
            arrive(Stage::UnrotatedKey, key);
        }
        AttentionSources sources;
        project(query, &AttentionWeights::query, &AttentionWeights::queryBias, queries,
                sources.queries);
        project(key, &AttentionWeights::key, &AttentionWeights::keyBias, keys, sources.keys);
        project(value, &AttentionWeights::value, &AttentionWeights::valueBias, keys, sources.keys);
        return sources;
    }

  private:
    void arrive(Stage stage, Adjoint &adjoint) { m_pass.store.arrive(stage, m_site, adjoint); }

    /// To the concatenated heads.
    Adjoint throughOutput(Adjoint output) {
        if (!m_weights.output)
            return output;
        Adjoint together;
        if (!output.isNull()) {
            const Tensor numbers = m_pass.forward.stage(Stage::Concatenated, m_site);
            together = Adjoint::zeros(numbers.shape(), m_pass.stop());
            linearBackward(rowsOf(numbers), m_weights.output->view(), output.rows(),
                           together.rows(), into(m_sums.output), rowInto(m_sums.outputBias),
                           m_pass.stop());
        }
        addHeadOutputs(together);
        arrive(Stage::Concatenated, together);
        return together;
    }

    /// Each head's own output = its context · its rows of W_O. What flows to it from the output is
    /// in already.
    void addHeadOutputs(Adjoint &together) {
        Adjoint seeds = m_pass.store.seedsOf(Stage::HeadOutputs, m_site);
        if (seeds.isNull())
            return;
        m_pass.store.keepSeeds(Stage::HeadOutputs, m_site, seeds);
        const Tensor numbers = m_pass.forward.stage(Stage::Concatenated, m_site);
        if (together.isNull())
            together = Adjoint::zeros(numbers.shape(), m_pass.stop());
        const Index d = m_config.headSize;
        m_pass.forEachMatrix(seeds, [&](Index b, Index h, MutableMatrixView seed) {
            Matrix back(seed.rows, d);
            multiplyTransposed(seed, m_weights.output->view().rowBlock(h * d, d), back.view());
            const MutableMatrixView to = together.matrix(b).columnBlock(h * d, d);
            for (Index t = 0; t < to.rows; ++t)
                std::ranges::transform(to.row(t), back.view().row(t), to.row(t).begin(),
                                       std::plus());
            MutableMatrixView sum = into(m_sums.output);
            sum = {sum.data + h * d * sum.stride, d, sum.columns, sum.stride};
            addTransposedProduct(numbers.view(b).columnBlock(h * d, d), seed, sum);
        });
    }

    /// What was put in the place of a head's context.
    void silence(Adjoint &context) {
        const Interventions &interventions = m_pass.trace.input().interventions;
        m_pass.forEachMatrix(context, [&](Index b, Index h, MutableMatrixView matrix) {
            const HeadState state = interventions.stateOf(m_site, h);
            if (state == HeadState::Mean)
                meanBackward(matrix, m_pass.trace.queries(m_site)[b].length, matrix);
            else if (state == HeadState::Zero)
                std::fill_n(matrix.data, matrix.rows * matrix.columns, 0.0f);
        });
    }

    void throughContext(Adjoint &context, Adjoint &weights, Adjoint &value) {
        if (context.isNull() || m_pass.stopped())
            return;
        const Tensor weighing = m_pass.forward.stage(Stage::Weights, m_site);
        const Tensor weighed = m_pass.forward.stage(Stage::Value, m_site);
        weights = Adjoint::zeros(weighing.shape(), m_pass.stop());
        value = Adjoint::zeros(weighed.shape(), m_pass.stop());
        m_pass.forEachMatrix(context, [&](Index b, Index h, MutableMatrixView arriving) {
            const Index group = m_config.groupOf(h);
            contextBackward(weighing.view(b, h), weighed.view(b, group), arriving,
                            weights.matrix(b, h), value.matrix(b, group), m_pass.stop());
        });
    }

    void throughScores(Adjoint &scores, Adjoint &query, Adjoint &key) {
        if (scores.isNull() || m_pass.stopped())
            return;
        const Tensor queries = m_pass.forward.stage(Stage::Query, m_site);
        const Tensor keys = m_pass.forward.stage(Stage::Key, m_site);
        query = Adjoint::zeros(queries.shape(), m_pass.stop());
        key = Adjoint::zeros(keys.shape(), m_pass.stop());
        m_pass.forEachMatrix(scores, [&](Index b, Index h, MutableMatrixView arriving) {
            const Index group = m_config.groupOf(h);
            scoresBackward(queries.view(b, h), keys.view(b, group), arriving, query.matrix(b, h),
                           key.matrix(b, group), m_pass.stop());
        });
    }

    void turnBack(Adjoint &adjoint) {
        if (adjoint.isNull())
            return;
        const RotaryTable table(m_config.rotary, m_config.headSize, adjoint.shape[2]);
        m_pass.forEachMatrix(adjoint, [&](Index, Index, MutableMatrixView matrix) {
            rotateBackward(matrix, table, matrix);
        });
    }

    /// Adds to `back`, the adjoint of what was projected.
    void project(Adjoint &heads, Parameter AttentionWeights::*weight,
                 Parameter AttentionWeights::*bias, const StageNames &from, Adjoint &back) {
        if (heads.isNull() || m_pass.stopped())
            return;
        Adjoint together = joinHeads(heads);
        const Tensor numbers = m_pass.tensorOf(from);
        Adjoint part = Adjoint::zeros(numbers.shape(), m_pass.stop());
        linearBackward(rowsOf(numbers), (m_weights.*weight)->view(), together.rows(), part.rows(),
                       into(m_sums.*weight), rowInto(m_sums.*bias), m_pass.stop());
        back.add(std::move(part));
    }

    const BackwardPass &m_pass;
    const Config &m_config;
    Site m_site;
    const AttentionWeights &m_weights;
    const AttentionWeights &m_sums;
};

} // namespace

AttentionSources attentionBackward(const BackwardPass &pass, Site site, Adjoint made,
                                   const StageNames &queries, const StageNames &keys) {
    return AttentionBackward(pass, site).run(std::move(made), queries, keys);
}

} // namespace headlight::core
