#include "core/transformer/output_head.h"

#include "core/operations/linear.h"
#include "core/operations/softmax.h"
#include "core/tensor/product.h"
#include "core/transformer/normalisation.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headlight::core {

namespace {

class Head {
  public:
    explicit Head(const Pass &pass)
        : m_pass(pass),
          m_config(pass.config().head),
          m_weights(pass.model.weights.head),
          m_before(pass.recorder.previous() ? pass.before().weights.head : m_weights),
          m_batch(*pass.input.batch) {}

    void run(const Computed &x) {
        if (m_config.kind == HeadKind::Classifier)
            classLogits(pooled(x));
        else if (m_config.kind == HeadKind::MaskedLanguage)
            probabilities(logits(transformed(x)));
        else if (m_config.kind == HeadKind::Language)
            probabilities(logits(isTied() && m_config.scaled ? scaled(x) : x));
    }

  private:
    using Weight = Parameter HeadWeights::*;

    bool isTied() const { return !m_weights.output; }
    bool isSame(Weight weight) const { return sameNumbers(m_weights.*weight, m_before.*weight); }
    Computed stage(Stage which, const Shape &shape, bool sameWeights, const Computed &from,
                   const std::function<void(Index, MutableMatrixView)> &fill) {
        return m_pass.recorder.stage(
            which, {}, shape,
            [&](Index b, Index) {
                return sameWeights &&
                       (shape.rank() == 2 ? from.isSameInAllSequences() : from.isSame(b));
            },
            [&](Index b, Index, MutableMatrixView out) { fill(b, out); });
    }

    /// norm(activation(x·W + b)), as BERT does before its output matrix.
    Computed transformed(const Computed &x) {
        const Index width = m_weights.transform->columns();
        const Shape shape{x.shape()[0], x.shape()[1], width};
        const bool normed = m_config.norm && m_pass.config().hasNorm();
        const auto fill = [&](Index b, MutableMatrixView out) {
            linear(x.matrix(b), m_weights.transform->view(), rowOf(m_weights.transformBias), out,
                   m_pass.recorder.stop());
            for (Index t = 0; t < out.rows; ++t)
                activate(out.row(t), m_config.activation, out.row(t));
        };
        const bool same = isSame(&HeadWeights::transform) && isSame(&HeadWeights::transformBias);
        if (!normed)
            return stage(Stage::HeadInput, shape, same, x, fill);
        // What the norm reads is no stage of its own.
        Computed inner;
        inner.same.resize(static_cast<std::size_t>(shape[0]));
        std::vector<float> values(static_cast<std::size_t>(shape.count()));
        for (Index b = 0; b < shape[0]; ++b) {
            inner.same[static_cast<std::size_t>(b)] =
                m_pass.recorder.previous() && same && x.isSame(b);
            fill(b, matrixOf(values, shape, b));
        }
        inner.tensor = Tensor(shape, std::move(values));
        return normalise(m_pass, Stage::HeadInput, {}, inner, m_weights.norm, m_before.norm,
                         m_batch);
    }

    /// × C^-½ (Raffel et al. 2020 tie the output matrix to embeddings that are not scaled).
    Computed scaled(const Computed &x) {
        const auto scale =
            static_cast<float>(1 / std::sqrt(static_cast<double>(m_pass.config().width)));
        return stage(Stage::HeadInput, x.shape(), true, x, [&](Index b, MutableMatrixView out) {
            for (Index t = 0; t < out.rows; ++t)
                std::ranges::transform(x.matrix(b).row(t), out.row(t).begin(),
                                       [scale](float value) { return value * scale; });
        });
    }

    Computed logits(const Computed &x) {
        const Parameter &embeddings = m_pass.model.weights.main.embeddings;
        const bool sameMatrix =
            isTied() ? !m_before.output && m_pass.recorder.previous() &&
                           sameNumbers(embeddings, m_pass.before().weights.main.embeddings)
                     : isSame(&HeadWeights::output);
        const Index words = isTied() ? embeddings->rows() : m_weights.output->columns();
        const auto fill = [&](Index b, MutableMatrixView out) {
            const auto bias = rowOf(m_weights.outputBias);
            if (!isTied())
                return linear(x.matrix(b), m_weights.output->view(), bias, out,
                              m_pass.recorder.stop());
            multiplyTransposed(x.matrix(b), embeddings->view(), out, m_pass.recorder.stop());
            for (Index t = 0; t < out.rows && !bias.empty(); ++t)
                std::ranges::transform(out.row(t), bias, out.row(t).begin(), std::plus());
        };
        return stage(Stage::Logits, {x.shape()[0], x.shape()[1], words},
                     sameMatrix && isSame(&HeadWeights::outputBias), x, fill);
    }

    void probabilities(const Computed &logits) {
        stage(Stage::Probabilities, logits.shape(), true, logits,
              [&](Index b, MutableMatrixView out) {
                  for (Index t = 0; t < out.rows && !m_pass.recorder.cancelled(); ++t)
                      softmax(logits.matrix(b).row(t), 1, out.row(t));
              });
    }

    /// One vector a sequence, and BERT's tanh layer where there is one.
    Computed pooled(const Computed &x) {
        const Index count = x.shape()[0], width = x.shape()[2];
        const Trace *previous = m_pass.recorder.previous();
        const bool same = previous && sameLengths(previous->batch(), m_batch) &&
                          isSame(&HeadWeights::pooler) && isSame(&HeadWeights::poolerBias);
        return stage(Stage::Pooled, {count, width}, same, x, [&](Index, MutableMatrixView out) {
            for (Index b = 0; b < count; ++b)
                pool(x.matrix(b), m_batch[b].length, m_config.pooling, out.row(b));
            if (!m_weights.pooler)
                return;
            const Matrix vectors = copyOf(out);
            linear(vectors.view(), m_weights.pooler->view(), rowOf(m_weights.poolerBias), out);
            for (Index b = 0; b < count; ++b)
                std::ranges::transform(out.row(b), out.row(b).begin(),
                                       [](float value) { return std::tanh(value); });
        });
    }

    static Matrix copyOf(MatrixView view) {
        Matrix copy(view.rows, view.columns);
        for (Index row = 0; row < view.rows; ++row)
            std::ranges::copy(view.row(row), copy.view().row(row).begin());
        return copy;
    }

    void classLogits(const Computed &pooled) {
        stage(Stage::ClassLogits, {pooled.shape()[0], m_weights.classifier->columns()},
              isSame(&HeadWeights::classifier) && isSame(&HeadWeights::classifierBias), pooled,
              [&](Index, MutableMatrixView out) {
                  linear(pooled.matrix(0), m_weights.classifier->view(),
                         rowOf(m_weights.classifierBias), out);
              });
    }

    const Pass &m_pass;
    const OutputHead &m_config;
    const HeadWeights &m_weights;
    const HeadWeights &m_before;
    const Batch &m_batch;
};

} // namespace

void runHead(const Pass &pass, const Computed &x) {
    Head(pass).run(x);
}

} // namespace headlight::core
