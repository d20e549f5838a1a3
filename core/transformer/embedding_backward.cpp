#include "core/transformer/embedding_backward.h"

#include "core/operations/linear.h"
#include "core/transformer/norm_backward.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headlight::core {

namespace {

void addTo(std::span<float> sum, std::span<const float> row) {
    std::ranges::transform(sum, row, sum.begin(), std::plus());
}

class EmbeddingBackward {
  public:
    EmbeddingBackward(const BackwardPass &pass, Stack stack)
        : m_pass(pass),
          m_config(pass.config()),
          m_stack(stack),
          m_weights(pass.model().stack(stack)),
          m_sums(pass.sumsOf(stack)),
          m_batch(pass.trace.input().of(stack)) {}

    void run(const ResidualStream &stream, Adjoint adjoint) {
        const auto namesOf = [&](std::size_t tensor) -> const StageNames & {
            return stream.tensors[tensor];
        };
        if (stream.entering != stream.positioned) {
            project(adjoint, namesOf(stream.positioned));
            m_pass.store.arrive(namesOf(stream.positioned), adjoint);
        }
        if (stream.positioned != stream.embeddingSum) {
            if (!adjoint.isNull())
                normBackward(m_pass, m_pass.tensorOf(namesOf(stream.embeddingSum)),
                             m_weights.embeddingNorm, m_sums.embeddingNorm, m_batch, adjoint);
            m_pass.store.arrive(namesOf(stream.embeddingSum), adjoint);
        }
        if (stream.embeddingSum != stream.embeddings) {
            throughSum(adjoint);
            m_pass.store.arrive(namesOf(stream.embeddings), adjoint);
        }
        lookUpBackward(adjoint);
    }

  private:
    void project(Adjoint &adjoint, const StageNames &from) {
        if (adjoint.isNull() || m_pass.stopped())
            return;
        const Tensor numbers = m_pass.tensorOf(from);
        Adjoint back = Adjoint::zeros(numbers.shape(), m_pass.stop());
        linearBackward(rowsOf(numbers), m_weights.embeddingProjection->view(), adjoint.rows(),
                       back.rows(), into(m_sums.embeddingProjection),
                       rowInto(m_sums.embeddingProjectionBias), m_pass.stop());
        adjoint = std::move(back);
    }

    /// Calls `work` with the sequence, the token and what flows back to it.
    template <typename Work>
    void eachToken(Adjoint &adjoint, Work work) {
        if (adjoint.isNull())
            return;
        for (Index b = 0; b < adjoint.shape[0] && !m_pass.stopped(); ++b) {
            const MutableMatrixView rows = adjoint.matrix(b);
            for (Index t = 0; t < rows.rows; ++t)
                work(m_batch[b], t, rows.row(t));
        }
    }

    void throughSum(Adjoint &adjoint) {
        const MutableMatrixView positions = into(m_sums.positions), types = into(m_sums.tokenTypes);
        eachToken(adjoint, [&](const Sequence &sequence, Index t, std::span<float> row) {
            if (m_config.positions == Positions::Learned)
                addTo(positions.row(t + m_config.positionOffset), row);
            if (m_weights.tokenTypes)
                addTo(types.row(sequence.tokenTypes.empty()
                                    ? 0
                                    : sequence.tokenTypes[static_cast<std::size_t>(t)]),
                      row);
        });
        if (m_config.scaleEmbeddings) {
            const auto factor = static_cast<float>(std::sqrt(static_cast<double>(m_config.width)));
            for (float &number : adjoint.values)
                number *= factor;
        }
    }

    void lookUpBackward(Adjoint &adjoint) {
        const bool own = m_stack == Stack::Encoder && m_weights.embeddings;
        const MutableMatrixView sum = into(own ? m_sums.embeddings : m_pass.sums.main.embeddings);
        const Vocabulary *vocabulary = m_pass.model().vocabularyOf(m_stack);
        if (MatrixView(sum).empty() || !vocabulary)
            return;
        eachToken(adjoint, [&](const Sequence &sequence, Index t, std::span<float> row) {
            if (sequence.embeddings)
                return;
            const auto id = vocabulary->idOf(sequence.tokens[static_cast<std::size_t>(t)]);
            if (id)
                addTo(sum.row(*id), row);
        });
    }

    const BackwardPass &m_pass;
    const Config &m_config;
    Stack m_stack;
    const StackWeights &m_weights;
    const StackWeights &m_sums;
    const Batch &m_batch;
};

} // namespace

void embeddingBackward(const BackwardPass &pass, Stack stack, const ResidualStream &stream,
                       Adjoint entering) {
    EmbeddingBackward(pass, stack).run(stream, std::move(entering));
}

} // namespace headlight::core
