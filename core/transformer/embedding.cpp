#include "core/transformer/embedding.h"

#include "core/operations/linear.h"
#include "core/operations/position.h"
#include "core/transformer/normalisation.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

class Embedding {
  public:
    Embedding(const Pass &pass, Stack stack)
        : m_pass(pass),
          m_config(pass.config()),
          m_site(0, Block::SelfAttention, stack),
          m_weights(pass.model.stack(stack)),
          m_batch(pass.input.of(stack)) {}

    Computed run() {
        Computed x = lookUp();
        if (hasEmbeddingSum(m_pass.model, m_site.stack))
            x = sum(x);
        if (m_pass.recorder.previous() && hasEmbeddingSum(m_pass.before(), m_site.stack) !=
                                              hasEmbeddingSum(m_pass.model, m_site.stack))
            x = x.asNew();
        if (m_config.hasNorm() && m_config.norm.embedding)
            x = normalise(m_pass, Stage::Positioned, m_site, x, m_weights.embeddingNorm,
                          before().embeddingNorm, m_batch);
        else
            x = m_pass.recorder.alias(Stage::Positioned, m_site, x);
        return m_weights.embeddingProjection ? project(x) : x;
    }

  private:
    /// Of the trace before.
    const StackWeights &before() const {
        static const StackWeights none;
        const Trace *previous = m_pass.recorder.previous();
        return previous ? previous->model().stack(m_site.stack) : none;
    }
    const Batch &batchBefore() const {
        return m_pass.recorder.previous()->input().of(m_site.stack);
    }
    Shape shape(Index width) const { return {m_batch.count(), m_batch.length(), width}; }

    Computed lookUp() {
        const Model &model = m_pass.model;
        const Parameter &matrix = model.embeddingMatrix(m_site.stack);
        const Vocabulary *vocabulary = model.vocabularyOf(m_site.stack);
        const auto same = [&](Index b, Index) {
            const Model &old = m_pass.before();
            const Sequence &was = batchBefore()[b], &is = m_batch[b];
            if (is.embeddings || was.embeddings)
                return is.embeddings == was.embeddings;
            const Vocabulary *oldVocabulary = old.vocabularyOf(m_site.stack);
            return is.tokens == was.tokens && model.embeddings == old.embeddings &&
                   (vocabulary == oldVocabulary ||
                    (vocabulary && oldVocabulary && *vocabulary == *oldVocabulary)) &&
                   sameNumbers(matrix, old.embeddingMatrix(m_site.stack));
        };
        return m_pass.recorder.stage(
            Stage::Embeddings, m_site, shape(m_config.tokenWidth()), same,
            [&](Index b, Index, MutableMatrixView out) {
                const Sequence &sequence = m_batch[b];
                for (Index t = 0; t < out.rows && !m_pass.recorder.cancelled(); ++t) {
                    const std::string &token = sequence.tokens[static_cast<std::size_t>(t)];
                    if (sequence.embeddings)
                        std::ranges::copy(sequence.embeddings->view().row(t), out.row(t).begin());
                    else if (matrix) // fits() has looked that every token has a row
                        std::ranges::copy(matrix->view().row(*vocabulary->idOf(token)),
                                          out.row(t).begin());
                    else
                        std::ranges::copy(model.embeddings->vectorOf(token), out.row(t).begin());
                }
            });
    }

    /// × √C, + positions, + token types.
    Computed sum(const Computed &embeddings) {
        const Index width = m_config.tokenWidth(), length = m_batch.length();
        Matrix added(length, width);
        if (m_config.positions == Positions::Sinusoidal)
            added = sinusoidalPositions(length, width, m_config.sinusoidOrder);
        else if (m_config.positions == Positions::Learned)
            for (Index t = 0; t < length; ++t)
                std::ranges::copy(m_weights.positions->view().row(m_config.positionOffset + t),
                                  added.view().row(t).begin());
        const float scale = m_config.scaleEmbeddings
                                ? static_cast<float>(std::sqrt(static_cast<double>(m_config.width)))
                                : 1;
        const auto same = [&](Index b, Index) {
            const Config &old = m_pass.before().config;
            return embeddings.isSame(b) && old.positions == m_config.positions &&
                   old.sinusoidOrder == m_config.sinusoidOrder &&
                   old.positionOffset == m_config.positionOffset &&
                   old.scaleEmbeddings == m_config.scaleEmbeddings &&
                   (old.width == m_config.width || !m_config.scaleEmbeddings) &&
                   batchBefore()[b].tokenTypes == m_batch[b].tokenTypes &&
                   sameNumbers(m_weights.positions, before().positions) &&
                   sameNumbers(m_weights.tokenTypes, before().tokenTypes);
        };
        return m_pass.recorder.stage(
            Stage::EmbeddingSum, m_site, embeddings.shape(), same,
            [&](Index b, Index, MutableMatrixView out) {
                const MatrixView from = embeddings.matrix(b);
                const std::vector<Index> &types = m_batch[b].tokenTypes;
                for (Index t = 0; t < out.rows; ++t)
                    for (Index c = 0; c < width; ++c) {
                        float value = from(t, c) * scale + added(t, c);
                        if (m_weights.tokenTypes)
                            value += (*m_weights.tokenTypes)(
                                types.empty() ? 0 : types[static_cast<std::size_t>(t)], c);
                        out(t, c) = value;
                    }
            });
    }

    Computed project(const Computed &x) {
        const bool sameWeights =
            sameNumbers(m_weights.embeddingProjection, before().embeddingProjection) &&
            sameNumbers(m_weights.embeddingProjectionBias, before().embeddingProjectionBias);
        return m_pass.recorder.stage(
            Stage::EmbeddingProjected, m_site, shape(m_config.width),
            [&](Index b, Index) { return sameWeights && x.isSame(b); },
            [&](Index b, Index, MutableMatrixView out) {
                linear(x.matrix(b), m_weights.embeddingProjection->view(),
                       rowOf(m_weights.embeddingProjectionBias), out, m_pass.recorder.stop());
            });
    }

    const Pass &m_pass;
    const Config &m_config;
    Site m_site;
    const StackWeights &m_weights;
    const Batch &m_batch;
};

} // namespace

Computed embed(const Pass &pass, Stack stack) {
    return Embedding(pass, stack).run();
}

bool hasEmbeddingSum(const Model &model, Stack stack) {
    const Positions positions = model.config.positions;
    return positions == Positions::Sinusoidal || positions == Positions::Learned ||
           model.config.scaleEmbeddings || model.stack(stack).tokenTypes;
}

Stage lastEmbeddingStage(const Config &config) {
    return config.tokenWidth() == config.width ? Stage::Positioned : Stage::EmbeddingProjected;
}

} // namespace headlight::core
