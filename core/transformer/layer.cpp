#include "core/transformer/layer.h"

#include "core/transformer/attention.h"
#include "core/transformer/feed_forward.h"
#include "core/transformer/normalisation.h"

namespace headlight::core {

namespace {

/// What follows was made from another stage in the trace before.
bool onlyOneHas(const Parameter &now, const Parameter &before) {
    return (now == nullptr) != (before == nullptr);
}

class Layer {
  public:
    Layer(const Pass &pass, Stack stack, Index layer)
        : m_pass(pass),
          m_config(pass.config()),
          m_site(layer, Block::SelfAttention, stack),
          m_weights(pass.model.layer(stack, layer)),
          m_before(pass.layerBefore(stack, layer)),
          m_batch(pass.input.of(stack)) {}

    Computed run(const Computed &input, const Computed *memory) {
        Computed x = m_pass.recorder.alias(Stage::LayerInput, m_site, input);
        if (m_weights.selfAttention.query)
            x = attend(m_site, x, nullptr, m_weights.selfAttention, m_before.selfAttention);
        if (onlyOneHas(m_weights.selfAttention.query, m_before.selfAttention.query))
            x = x.asNew();
        if (m_weights.crossAttention.query)
            x = attend({m_site.layer, Block::CrossAttention, m_site.stack}, x, memory,
                       m_weights.crossAttention, m_before.crossAttention);
        if (m_config.feedForward.width == 0)
            return m_pass.recorder.alias(Stage::LayerOutput, m_site, x);
        const NormWeights &norm = m_weights.feedForward.norm, &old = m_before.feedForward.norm;
        const Computed in = m_config.normsBefore() ? normalise(m_pass, Stage::FeedForwardNorm,
                                                               m_site, x, norm, old, m_batch)
                                                   : x;
        const Computed out = feedForward(m_pass, m_site, in);
        if (!joins())
            return m_pass.recorder.alias(Stage::LayerOutput, m_site, out);
        return join(m_site, x, out, Stage::FeedForwardResidualSum, Stage::LayerOutput, norm, old);
    }

  private:
    /// Something is done to what a block makes.
    bool joins() const { return m_config.residual || m_config.normsAfter(); }

    Computed attend(Site site, const Computed &x, const Computed *memory,
                    const AttentionWeights &weights, const AttentionWeights &old) {
        const Computed in = m_config.normsBefore() ? normalise(m_pass, Stage::Norm, site, x,
                                                               weights.norm, old.norm, m_batch)
                                                   : x;
        Computed out = Attention(m_pass, site).run(in, memory ? *memory : in);
        if (onlyOneHas(weights.output, old.output))
            out = out.asNew();
        return joins()
                   ? join(site, x, out, Stage::ResidualSum, Stage::Residual, weights.norm, old.norm)
                   : out;
    }

    /// x + out, and the norm after it.
    Computed join(Site site, const Computed &x, const Computed &out, Stage sumStage, Stage result,
                  const NormWeights &norm, const NormWeights &old) {
        Computed sum = out;
        if (m_config.residual)
            sum = m_pass.recorder.stage(
                m_config.normsAfter() ? sumStage : result, site, x.shape(),
                [&](Index b, Index) { return x.isSame(b) && out.isSame(b); },
                [&](Index b, Index, MutableMatrixView to) { add(x.matrix(b), out.matrix(b), to); });
        return m_config.normsAfter() ? normalise(m_pass, result, site, sum, norm, old, m_batch)
                                     : sum;
    }

    const Pass &m_pass;
    const Config &m_config;
    Site m_site;
    const LayerWeights &m_weights;
    const LayerWeights &m_before;
    const Batch &m_batch;
};

} // namespace

Computed runLayer(const Pass &pass, Stack stack, Index layer, const Computed &x,
                  const Computed *memory) {
    return Layer(pass, stack, layer).run(x, memory);
}

} // namespace headlight::core
