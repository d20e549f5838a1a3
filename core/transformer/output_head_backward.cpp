#include "core/transformer/output_head_backward.h"

#include "core/operations/linear.h"
#include "core/operations/softmax.h"
#include "core/tensor/product.h"
#include "core/transformer/norm_backward.h"

#include <cmath>

namespace headlight::core {

namespace {

class HeadBackward {
  public:
    HeadBackward(const BackwardPass &pass, const StageNames &x)
        : m_pass(pass),
          m_model(pass.model()),
          m_head(pass.config().head),
          m_weights(m_model.weights.head),
          m_sums(pass.sums.head),
          m_names(x) {}

    Adjoint words() {
        Adjoint logits;
        arrive(Stage::Probabilities, logits);
        throughSoftmax(logits);
        arrive(Stage::Logits, logits);
        const bool own = hasStage(m_model, Stage::HeadInput); // else it is x itself
        Adjoint input = throughMatrix(logits, own ? StageNames{{Stage::HeadInput, {}}} : m_names);
        if (!own)
            return input;
        arrive(Stage::HeadInput, input);
        if (m_head.kind == HeadKind::MaskedLanguage)
            return throughTransform(std::move(input));
        const auto factor =
            static_cast<float>(1 / std::sqrt(static_cast<double>(m_model.config.width)));
        for (float &number : input.values)
            number *= factor;
        return input;
    }

    Adjoint classes() {
        Adjoint logits, pooled;
        arrive(Stage::ClassLogits, logits);
        if (!logits.isNull()) {
            const Tensor numbers = m_pass.forward.stage(Stage::Pooled);
            pooled = Adjoint::zeros(numbers.shape(), m_pass.stop());
            linearBackward(rowsOf(numbers), m_weights.classifier->view(), logits.rows(),
                           pooled.rows(), into(m_sums.classifier), rowInto(m_sums.classifierBias),
                           m_pass.stop());
        }
        arrive(Stage::Pooled, pooled);
        if (pooled.isNull() || m_pass.stopped())
            return {};
        const Tensor x = m_pass.tensorOf(m_names);
        if (m_weights.pooler)
            throughPooler(x, pooled);
        Adjoint back = Adjoint::zeros(x.shape(), m_pass.stop());
        for (Index b = 0; b < x.shape()[0]; ++b)
            poolBackward(MatrixView(pooled.rows()).row(b), lengthOf(b), m_head.pooling,
                         back.matrix(b));
        return back;
    }

  private:
    void arrive(Stage stage, Adjoint &adjoint) { m_pass.store.arrive(stage, {}, adjoint); }
    Index lengthOf(Index sequence) const { return m_pass.trace.batch()[sequence].length; }

    void throughSoftmax(Adjoint &probabilities) {
        if (probabilities.isNull())
            return;
        const Tensor numbers = m_pass.forward.stage(Stage::Probabilities);
        const MatrixView made = rowsOf(numbers);
        const MutableMatrixView rows = probabilities.rows();
        for (Index row = 0; row < rows.rows && !m_pass.stopped(); ++row)
            softmaxBackward(made.row(row), rows.row(row), 1, rows.row(row));
    }

    /// `multiplied` names what the output matrix multiplied.
    Adjoint throughMatrix(Adjoint &logits, const StageNames &multiplied) {
        if (logits.isNull() || m_pass.stopped())
            return {};
        const Tensor numbers = m_pass.tensorOf(multiplied);
        Adjoint back = Adjoint::zeros(numbers.shape(), m_pass.stop());
        if (m_weights.output) {
            linearBackward(rowsOf(numbers), m_weights.output->view(), logits.rows(), back.rows(),
                           into(m_sums.output), rowInto(m_sums.outputBias), m_pass.stop());
            return back;
        }
        // Tied: logits = numbers · embeddingsᵀ.
        const Parameter &embeddings = m_model.weights.main.embeddings;
        multiply(logits.rows(), embeddings->view(), back.rows(), m_pass.stop());
        addTransposedProduct(logits.rows(), rowsOf(numbers), into(m_pass.sums.main.embeddings),
                             m_pass.stop());
        addRows(logits.rows(), rowInto(m_sums.outputBias));
        return back;
    }

    static void addRows(MatrixView rows, std::span<float> sum) {
        std::vector<double> all(sum.size());
        for (Index row = 0; row < rows.rows && !sum.empty(); ++row)
            for (std::size_t column = 0; column < sum.size(); ++column)
                all[column] += static_cast<double>(rows.row(row)[column]);
        for (std::size_t column = 0; column < sum.size(); ++column)
            sum[column] += static_cast<float>(all[column]);
    }

    /// Back through norm, activation and linear map, which are no stages: made once more.
    Adjoint throughTransform(Adjoint adjoint) {
        if (adjoint.isNull() || m_pass.stopped())
            return {};
        const Tensor x = m_pass.tensorOf(m_names);
        std::vector<float> mapped(adjoint.values.size()), activated(adjoint.values.size());
        const Index width = adjoint.shape.last(0);
        linear(rowsOf(x), m_weights.transform->view(), onlyRow(m_weights.transformBias),
               {mapped.data(), adjoint.rows().rows, width, width}, m_pass.stop());
        if (m_head.norm && m_model.config.hasNorm()) {
            activate(mapped, m_head.activation, activated);
            normBackward(m_pass, Tensor(adjoint.shape, std::move(activated)), m_weights.norm,
                         m_sums.norm, m_pass.trace.batch(), adjoint);
        }
        activateBackward(mapped, m_head.activation, adjoint.values, adjoint.values);
        Adjoint back = Adjoint::zeros(x.shape(), m_pass.stop());
        linearBackward(rowsOf(x), m_weights.transform->view(), adjoint.rows(), back.rows(),
                       into(m_sums.transform), rowInto(m_sums.transformBias), m_pass.stop());
        return back;
    }

    /// pooled = tanh(pool(x)·W + b), whose slope is 1 − pooled².
    void throughPooler(const Tensor &x, Adjoint &pooled) {
        const Tensor made = m_pass.forward.stage(Stage::Pooled);
        for (std::size_t i = 0; i < pooled.values.size(); ++i)
            pooled.values[i] *= 1 - made.values()[i] * made.values()[i];
        Matrix plain(x.shape()[0], x.shape()[2]);
        for (Index b = 0; b < plain.rows(); ++b)
            pool(x.view(b), lengthOf(b), m_head.pooling, plain.view().row(b));
        Adjoint back = Adjoint::zeros(pooled.shape, m_pass.stop());
        linearBackward(plain.view(), m_weights.pooler->view(), pooled.rows(), back.rows(),
                       into(m_sums.pooler), rowInto(m_sums.poolerBias), m_pass.stop());
        pooled = std::move(back);
    }

    const BackwardPass &m_pass;
    const Model &m_model;
    const OutputHead &m_head;
    const HeadWeights &m_weights;
    const HeadWeights &m_sums;
    const StageNames &m_names;
};

} // namespace

Adjoint outputHeadBackward(const BackwardPass &pass, const StageNames &x) {
    if (!pass.store.hasSeedsIn(Part::Head, {}))
        return {};
    // The logits of a large vocabulary take long to make: only where a stage beside them is read.
    const bool reads = pass.config().head.kind == HeadKind::Classifier ||
                       hasStage(pass.model(), Stage::HeadInput) ||
                       pass.store.hasSeedsAt(stageName(Stage::Probabilities));
    const Outcome outcome = reads ? pass.forward.prepareHead(pass.stop()) : Outcome(Done{});
    if (!outcome) {
        pass.store.fail(outcome.error());
        return {};
    }
    switch (pass.config().head.kind) {
    case HeadKind::None:
        return {};
    case HeadKind::Language:
    case HeadKind::MaskedLanguage:
        return HeadBackward(pass, x).words();
    case HeadKind::Classifier:
        return HeadBackward(pass, x).classes();
    }
    return {};
}

} // namespace headlight::core
