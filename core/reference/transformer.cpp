// The transformer: embeddings, layers of attention and feed-forward networks, and an output layer.
#include "core/reference/pass.h"

#include <functional>
#include <new>
#include <optional>
#include <vector>

namespace headlight::core::reference {

namespace {

/// An attention module or a feed-forward network of a layer, with its norms.
struct Sublayer {
    AttentionId at;
    std::function<MatrixXd(const MatrixXd &)> f;
    const NormParameters &norm;
    const NormParameters &outputNorm;
    // names of its stages
    Stage normed, outputNormed, sum, result;
};

/// One layer of a stack.
class Layer {
  public:
    Layer(const Pass &pass, const Config &config, AttentionId at, const MatrixXd &memory,
          const MatrixXd &distances)
        : m_pass(pass), m_config(config), m_at(at), m_memory(memory), m_distances(distances) {}

    MatrixXd operator()(MatrixXd X) const {
        m_pass.show({Stage::LayerInput, m_at}, X);
        if (m_config.parallel)
            X = inParallel(X);
        else
            for (const Sublayer &sublayer : sublayers())
                X = through(sublayer, X);
        m_pass.show({Stage::LayerOutput, m_at}, X);
        return X;
    }

  private:
    /// Returns the layer's self-attention, cross-attention and feed-forward network, if it has
    /// them.
    std::vector<Sublayer> sublayers() const {
        const LayerParameters &W = m_pass.model.layer(m_at.stack, m_at.layer);
        std::vector<Sublayer> all;
        if (W.selfAttention.query)
            all.push_back(attending(m_at, W.selfAttention));
        if (W.crossAttention.query)
            all.push_back(
                attending({m_at.layer, Block::CrossAttention, m_at.stack}, W.crossAttention));
        if (m_config.feedForward.width > 0)
            all.push_back(
                {m_at, [this](const MatrixXd &X) { return feedForward(m_pass, m_config, m_at, X); },
                 W.feedForward.norm, W.feedForward.outputNorm, Stage::FeedForwardNorm,
                 Stage::FeedForwardOutputNorm, Stage::FeedForwardResidualSum, Stage::LayerOutput});
        return all;
    }

    Sublayer attending(AttentionId at, const AttentionParameters &W) const {
        const auto attend = [this, at](const MatrixXd &X) {
            const bool isSelf = at.block == Block::SelfAttention;
            return attention(m_pass, m_config, at, X, isSelf ? X : m_memory, m_distances);
        };
        return {at,
                attend,
                W.norm,
                W.outputNorm,
                Stage::Norm,
                Stage::OutputNorm,
                Stage::ResidualSum,
                Stage::Residual};
    }

    /// Returns X + f(norm(X)), or norm(X + f(X)), or X + norm(f(X)).
    MatrixXd through(const Sublayer &sublayer, const MatrixXd &X) const {
        const AttentionId at = sublayer.at;
        MatrixXd Y = written(sublayer, read(sublayer, X));
        if (m_config.residual)
            Y = X + double(m_config.residualFactor) * Y;
        if (m_config.residual && m_config.normsAfter())
            m_pass.show({sublayer.sum, at}, Y);
        if (m_config.normsAfter())
            Y = normed(sublayer.norm, Y);
        // The caller passes the last result on as LayerOutput.
        const bool isLast = sublayer.result == Stage::LayerOutput;
        if ((m_config.residual || m_config.normsAfter()) && !isLast)
            m_pass.show({sublayer.result, at}, Y);
        return Y;
    }

    /// Returns X + f(norm(X)) + g(norm(X)): all sublayers read the layer's input (Wang and
    /// Komatsuzaki 2021).
    MatrixXd inParallel(const MatrixXd &X) const {
        std::optional<MatrixXd> in, Y;
        if (m_config.residual)
            Y = X;
        for (const Sublayer &sublayer : sublayers()) {
            if (!in || !m_config.sharesNorm())
                in = read(sublayer, X);
            MatrixXd out = written(sublayer, *in);
            if (m_config.residual)
                out *= double(m_config.residualFactor);
            Y = Y ? *Y + out : out;
        }
        return Y.value_or(X);
    }

    /// Returns the input of a sublayer: the residual stream X, or its norm.
    MatrixXd read(const Sublayer &sublayer, const MatrixXd &X) const {
        const bool isAttention = sublayer.normed == Stage::Norm;
        const bool isFirst = m_at.layer == 0 && sublayer.at.block == Block::SelfAttention;
        if (!m_config.normsBefore() || (m_config.norm.skipsFirst && isAttention && isFirst))
            return X;
        return m_pass.shown({sublayer.normed, sublayer.at}, normed(sublayer.norm, X));
    }

    /// Returns the output of a sublayer, which is added to the residual stream.
    MatrixXd written(const Sublayer &sublayer, const MatrixXd &in) const {
        MatrixXd Y = sublayer.f(in);
        if (m_config.normsOutput())
            Y = m_pass.shown({sublayer.outputNormed, sublayer.at}, normed(sublayer.outputNorm, Y));
        return Y;
    }

    MatrixXd normed(const NormParameters &norm, const MatrixXd &X) const {
        return normalised(m_config, X, norm, m_pass.input.queries(m_at));
    }

    const Pass &m_pass;
    const Config &m_config; ///< config of the stack
    AttentionId m_at;
    const MatrixXd &m_memory;    ///< second sequence, which cross-attention attends to
    const MatrixXd &m_distances; ///< distance vectors
};

/// Computes the embeddings and all layers of a stack.
MatrixXd stackOf(const Pass &pass, Stack stack, const MatrixXd &memory) {
    const Config config = pass.model.configOf(stack);
    MatrixXd X = embedded(pass, stack), D;
    if (config.disentangled.isOn()) {
        D = distanceEmbeddings(pass, config, stack);
        pass.show({Stage::DistanceEmbeddings, {0, Block::SelfAttention, stack}}, 0, 0, D);
    }
    for (Index layer = 0; layer < pass.model.layerCount(stack); ++layer)
        X = Layer(pass, config, {layer, Block::SelfAttention, stack}, memory, D)(std::move(X));
    if (config.hasNorm() && config.norm.final) {
        X = normalised(config, X, pass.model.stack(stack).finalNorm, pass.input.of(stack));
        pass.show({Stage::FinalNorm, {0, Block::SelfAttention, stack}}, X);
    }
    return X;
}

void compute(const Pass &pass) {
    MatrixXd memory;
    if (pass.model.hasEncoder())
        memory = stackOf(pass, Stack::Encoder, memory);
    else if (pass.model.hasCrossAttention())
        memory = embedded(pass, Stack::SourceEmbeddings);
    outputLayer(pass, stackOf(pass, pass.model.mainStack(), memory));
}

} // namespace

Outcome forward(const Model &model, const Input &input, const OnStage &onStage,
                const std::stop_token &stop) try {
    if (model.isCaptured())
        return Error{"a capture has no model, so it cannot be recomputed", "capture",
                     "open a model or a lesson"};
    for (const BatchPointer &batch : {input.batch, input.source})
        if (batch && batch->length() > kMaxReferenceTokens)
            return Error{{"%1 tokens are too many for the 64-bit computation", batch->length()},
                         batch == input.batch ? "text" : "source",
                         {"use at most %1 tokens", kMaxReferenceTokens}};
    compute({model, input, onStage, stop});
    return Done{};
} catch (const Failure &failure) {
    return failure.error;
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory for the attention", "text", "use a shorter text"};
}

} // namespace headlight::core::reference
