#include "core/transformer/attention_weights_backward.h"

#include "core/operations/softmax.h"

#include <algorithm>
#include <limits>

namespace headlight::core {

namespace {

/// All steps work in place, matrix by matrix.
class WeightsBackward {
  public:
    WeightsBackward(const BackwardPass &pass, Site site)
        : m_pass(pass),
          m_config(pass.config()),
          m_interventions(pass.trace.input().interventions),
          m_site(site) {}

    Adjoint run(Adjoint adjoint) {
        arrive(Stage::Weights, adjoint);
        stopAtUniform(adjoint);
        if (m_config.masking.afterSoftmax) {
            mask(adjoint);
            arrive(Stage::UnmaskedWeights, adjoint);
            softmax(Stage::UnmaskedWeights, adjoint);
        } else {
            softmax(Stage::Weights, adjoint);
            arrive(Stage::MaskedScores, adjoint);
            mask(adjoint);
        }
        arrive(Stage::BiasedScores, adjoint);
        bias(adjoint);
        arrive(Stage::ScaledScores, adjoint);
        const float factor = m_config.scale.factor(m_config.headSize);
        m_pass.forEachMatrix(adjoint, [factor](Index, Index, MutableMatrixView matrix) {
            for (Index row = 0; row < matrix.rows; ++row)
                for (float &number : matrix.row(row))
                    number *= factor;
        });
        arrive(Stage::Scores, adjoint);
        stopAtScoresByHand(adjoint);
        return adjoint;
    }

  private:
    void arrive(Stage stage, Adjoint &adjoint) { m_pass.store.arrive(stage, m_site, adjoint); }

    /// Uniform weights do not ask the scores.
    void stopAtUniform(Adjoint &adjoint) {
        m_pass.forEachMatrix(adjoint, [&](Index, Index h, MutableMatrixView matrix) {
            if (m_interventions.stateOf(m_site, h) == HeadState::Uniform)
                for (Index row = 0; row < matrix.rows; ++row)
                    std::ranges::fill(matrix.row(row), 0.0f);
        });
    }

    void mask(Adjoint &adjoint) {
        m_pass.forEachMatrix(adjoint, [&](Index b, Index, MutableMatrixView matrix) {
            maskBackward(matrix, m_pass.trace.mask(b, m_site), matrix);
        });
    }

    /// `made`: the stage that came out.
    void softmax(Stage made, Adjoint &adjoint) {
        if (adjoint.isNull())
            return;
        if (!m_config.softmax)
            return divide(adjoint);
        const Tensor weights = m_pass.forward.stage(made, m_site);
        m_pass.forEachMatrix(adjoint, [&](Index b, Index h, MutableMatrixView matrix) {
            const MatrixView from = weights.view(b, h);
            for (Index row = 0; row < matrix.rows; ++row)
                softmaxBackward(from.row(row), matrix.row(row), m_config.temperature,
                                matrix.row(row));
        });
    }

    /// Without softmax: a score of −∞ has weight 0, whatever it would be without the mask.
    void divide(Adjoint &adjoint) {
        const bool hides = !m_config.masking.afterSoftmax &&
                           m_config.masking.value == -std::numeric_limits<float>::infinity();
        m_pass.forEachMatrix(adjoint, [&](Index b, Index, MutableMatrixView matrix) {
            for (Index row = 0; row < matrix.rows; ++row)
                for (float &number : matrix.row(row))
                    number /= m_config.temperature;
            if (hides)
                maskBackward(matrix, m_pass.trace.mask(b, m_site), matrix);
        });
    }

    /// Every sequence adds the same bias, [1, H, T, S].
    void bias(Adjoint &adjoint) {
        const bool relative = m_config.positions == Positions::Relative;
        if (m_site.block != Block::SelfAttention ||
            (!relative && m_config.positions != Positions::Alibi))
            return;
        Adjoint bias;
        if (!adjoint.isNull())
            bias = Adjoint::zeros({1, adjoint.shape[1], adjoint.shape[2], adjoint.shape[3]},
                                  m_pass.stop());
        m_pass.forEachMatrix(adjoint, [&](Index, Index h, MutableMatrixView matrix) {
            const MutableMatrixView sum = bias.matrix(0, h);
            for (Index row = 0; row < matrix.rows; ++row)
                std::ranges::transform(sum.row(row), matrix.row(row), sum.row(row).begin(),
                                       std::plus());
        });
        arrive(Stage::PositionBias, bias);
        if (!relative)
            return; // ALiBi's is a constant
        const MutableMatrixView table = into(m_pass.sumsOf(m_site.stack).positionBias);
        m_pass.forEachMatrix(bias, [&](Index, Index h, MutableMatrixView matrix) {
            relativeBiasBackward(matrix, m_config.relative, m_site.stack != Stack::Decoder, h,
                                 table);
        });
    }

    void stopAtScoresByHand(Adjoint &adjoint) {
        m_pass.forEachMatrix(adjoint, [&](Index b, Index h, MutableMatrixView matrix) {
            for (const ScoreIntervention &said : m_interventions.scoresOf(b, m_site, h))
                matrix(said.query, said.key) = 0;
        });
    }

    const BackwardPass &m_pass;
    const Config &m_config;
    const Interventions &m_interventions;
    Site m_site;
};

} // namespace

Adjoint attentionWeightsBackward(const BackwardPass &pass, Site site, Adjoint weights) {
    return WeightsBackward(pass, site).run(std::move(weights));
}

} // namespace headlight::core
