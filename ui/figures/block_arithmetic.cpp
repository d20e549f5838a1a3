#include "core/format_number.h"
#include "core/operations/activation.h"
#include "core/operations/position.h"
#include "ui/figures/flow_arithmetic_parts.h"
#include "ui/figures/number_text.h"
#include "ui/figures/provenance.h"
#include "ui/figures/stage_titles.h"
#include "ui/figures/token_names.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Arithmetic)
};

class Writer : public ArithmeticLine {
  public:
    using ArithmeticLine::ArithmeticLine;

    Spans write() {
        const SharedMatrix own = matrix(m_selection.stage);
        const core::StageInfo &info = core::infoOf(m_selection.stage);
        place();
        if (isComputed())
            compute(own, info);
        else
            values(own, info.role);
        return std::move(m_spans);
    }

  private:
    /// Not captured: there are the weights that made it.
    bool isComputed() const { return !m_trace.model().attentions().empty(); }

    void compute(const MatrixView &own, const core::StageInfo &info) {
        const core::Model &model = m_trace.model();
        const core::Config &config = model.config;
        const core::HeadWeights &head = model.weights.head;
        switch (m_selection.stage) {
        case Stage::EmbeddingSum:
            return embeddingSum(own);
        case Stage::Positioned:
            if (config.hasNorm() && config.norm.embedding)
                return normalise(before(m_trace, m_selection),
                                 model.stack(m_selection.stack).embeddingNorm, own);
            break;
        case Stage::EmbeddingProjected:
            return mapped({model.stack(m_selection.stack).embeddingProjection.get(),
                           model.stack(m_selection.stack).embeddingProjectionBias.get(),
                           QStringLiteral("E")},
                          own);
        case Stage::Norm:
            return normalise(inputOf(m_trace, m_selection),
                             model.attention(m_selection.site()).norm, own);
        case Stage::FeedForwardNorm:
            return normalise(inputOf(m_trace, m_selection), network().norm, own);
        case Stage::FinalNorm:
            return normalise(before(m_trace, m_selection), model.stack(m_selection.stack).finalNorm,
                             own);
        case Stage::ResidualSum:
        case Stage::FeedForwardResidualSum:
            return add(own);
        case Stage::Residual:
            if (!config.normsAfter())
                return add(own);
            return normalise(before(m_trace, m_selection), model.attention(m_selection.site()).norm,
                             own);
        case Stage::LayerOutput:
            if (!config.normsAfter())
                return add(own);
            return normalise(before(m_trace, m_selection), network().norm, own);
        case Stage::Gate:
            return read({network().gate.get(), network().gateBias.get(), QStringLiteral("g")}, own);
        case Stage::Hidden:
            return read({network().hidden.get(), network().hiddenBias.get(), QStringLiteral("1")},
                        own);
        case Stage::Activated:
            return activate(own);
        case Stage::FeedForwardOutput:
            return narrow(own);
        case Stage::HeadInput:
            return headInput(own);
        case Stage::Logits:
            if (head.output)
                return mapped({head.output.get(), head.outputBias.get(), QStringLiteral("U")}, own);
            return mapped({model.weights.main.embeddings.get(), head.outputBias.get(),
                           QStringLiteral("E"), 0, true},
                          own);
        case Stage::Probabilities:
            return probabilities(own);
        case Stage::ClassLogits:
            return mapped({head.classifier.get(), head.classifierBias.get(), QStringLiteral("c")},
                          own);
        default:
            break;
        }
        values(own, info.role);
    }

    const core::FeedForwardWeights &network() const {
        return m_trace.model().layer(m_selection.stack, m_selection.layer).feedForward;
    }
    SharedMatrix matrixBefore() const {
        const auto at = before(m_trace, m_selection);
        return at ? matrix(*at) : SharedMatrix();
    }
    /// What the part reads, through a matrix.
    void read(const Projection &by, const MatrixView &own) {
        const SharedMatrix input = matrix(readBy(m_trace, m_selection));
        linear(input, Role::Residual, by, Role::Hidden, own);
    }
    /// From the width of the network back to the model's.
    void narrow(const MatrixView &own) {
        const SharedMatrix activated = matrix(Stage::Activated);
        linear(activated, Role::Hidden,
               {network().output.get(), network().outputBias.get(), QStringLiteral("2")},
               Role::Residual, own);
    }

    /// The stage before, through a matrix.
    void mapped(const Projection &by, const MatrixView &own) {
        const SharedMatrix input = matrixBefore();
        linear(input, Role::Residual, by, core::infoOf(m_selection.stage).role, own);
    }

    /// E · √C + P + T, as far as the model has them.
    void embeddingSum(const MatrixView &own) {
        const core::StackWeights &weights = m_trace.model().stack(m_selection.stack);
        const SharedMatrix words = matrix(Stage::Embeddings);
        vectorOrTerm(words);
        if (config().scaleEmbeddings)
            plain(QStringLiteral("·√%1").arg(config().width));
        if (config().positions == core::Positions::Sinusoidal) {
            const core::Matrix all =
                core::sinusoidalPositions(own.rows, own.columns, config().sinusoidOrder);
            plus(all.view(), m_row);
        } else if (config().positions == core::Positions::Learned && weights.positions) {
            plus(weights.positions->view(), m_row + config().positionOffset);
        }
        if (weights.tokenTypes) {
            const core::Sequence &sequence =
                m_trace.input().of(m_selection.stack)[m_selection.sequence];
            plus(weights.tokenTypes->view(),
                 sequence.tokenTypes.empty()
                     ? Index(0)
                     : sequence.tokenTypes[static_cast<std::size_t>(m_row)]);
        }
        result(own);
    }
    void vectorOrTerm(const MatrixView &from) {
        if (m_column)
            number(termText(from(m_row, *m_column)), Role::Residual);
        else
            vector(from.row(m_row), Role::Residual);
    }
    void plus(const MatrixView &from, Index row) {
        plain(QStringLiteral(" + "));
        if (m_column)
            number(inBrackets(from(row, *m_column)), Role::Residual);
        else
            vector(from.row(row), Role::Residual);
    }
    void result(const MatrixView &own) {
        if (m_column)
            return equals(own(m_row, *m_column));
        plain(QStringLiteral(" = "));
        vector(own.row(m_row), Role::Residual);
    }

    /// What the part read and what it made.
    void add(const MatrixView &own) {
        const SharedMatrix input = matrix(inputOf(m_trace, m_selection));
        if (config().residual && !input.empty()) {
            vectorOrTerm(input);
            const SharedMatrix made = matrix(madeBy(m_trace, m_selection));
            plus(made, m_row);
            return result(own);
        }
        values(own, Role::Residual);
    }

    /// Mean and variance, and of how many numbers.
    struct Statistics {
        double mean = 0;
        double variance = 0;
    };
    static Statistics statisticsOf(const std::vector<float> &numbers, bool centred) {
        Statistics all;
        const auto count = static_cast<double>(std::max<std::size_t>(1, numbers.size()));
        for (const float one : numbers)
            all.mean += centred ? static_cast<double>(one) / count : 0;
        for (const float one : numbers)
            all.variance += std::pow(static_cast<double>(one) - all.mean, 2) / count;
        return all;
    }
    /// The row; of batch norm the column over all real tokens of the batch.
    std::vector<float> normedTogether(const core::StageAt &from, const MatrixView &x) const {
        if (config().norm.kind != core::NormKind::Batch) {
            const auto row = x.row(m_row);
            return {row.begin(), row.end()};
        }
        std::vector<float> numbers;
        const core::Batch &batch = m_trace.input().of(from.site.stack);
        const core::Tensor all = m_trace.stage(from.stage, from.site);
        for (Index b = 0; b < batch.count(); ++b)
            for (Index t = 0; t < batch[b].length; ++t)
                numbers.push_back(all.matrix(b)(t, *m_column));
        return numbers;
    }
    static QString rounded(double value) { return resultText(static_cast<float>(value)); }

    void normalise(const std::optional<core::StageAt> &from, const core::NormWeights &weights,
                   const MatrixView &own) {
        const SharedMatrix x = from ? matrix(*from) : SharedMatrix();
        if (x.empty())
            return values(own, Role::Residual);
        const core::NormKind kind = config().norm.kind;
        const bool centred = kind != core::NormKind::RootMeanSquare;
        if (!m_column && kind == core::NormKind::Batch) { // each column has its own
            vector(x.row(m_row), Role::Residual);
            plain(QStringLiteral(" → "));
            return vector(own.row(m_row), Role::Residual);
        }
        const Statistics found = statisticsOf(normedTogether(*from, x), centred);
        const QString deviation =
            QStringLiteral("√(%1 + %2)")
                .arg(rounded(found.variance), fullText(config().norm.epsilon));
        if (!m_column) {
            vector(x.row(m_row), Role::Residual);
            plain(QStringLiteral(" → "));
            vector(own.row(m_row), Role::Residual);
            return muted(centred ? QStringLiteral("   (μ = %1, σ = %2)")
                                       .arg(rounded(found.mean), rounded(std::sqrt(found.variance)))
                                 : Words::tr("   (root of the mean square: %1)")
                                       .arg(rounded(std::sqrt(found.variance))));
        }
        const float value = x(m_row, *m_column);
        if (centred) {
            plain(QStringLiteral("("));
            number(termText(value), Role::Residual);
            plain(found.mean < 0 ? QStringLiteral(" + ") : QStringLiteral(" − "));
            plain(rounded(std::abs(found.mean)) + QStringLiteral(")"));
        } else {
            number(termText(value), Role::Residual);
        }
        plain(QStringLiteral(" / ") + deviation);
        if (weights.gain)
            plain(QStringLiteral("·") + inBrackets((*weights.gain)(0, *m_column)));
        if (weights.bias && centred)
            plain(QStringLiteral(" + ") + inBrackets((*weights.bias)(0, *m_column)));
        equals(own(m_row, *m_column));
        if (kind == core::NormKind::Batch)
            muted(Words::tr("   (mean and variance of this column over all real tokens of the "
                            "batch)"));
    }

    void activate(const MatrixView &own) {
        const core::FeedForward &network = config().feedForward;
        const SharedMatrix hidden = matrix(Stage::Hidden);
        const SharedMatrix turned = network.gated ? matrix(Stage::Gate) : hidden;
        plain(titleOf(network.activation));
        if (!m_column) {
            vector(turned.row(m_row), Role::Hidden);
            if (network.gated) {
                plain(QStringLiteral(" ⊙ "));
                vector(hidden.row(m_row), Role::Hidden);
            }
            plain(QStringLiteral(" = "));
            return vector(own.row(m_row), Role::Hidden);
        }
        plain(QStringLiteral("("));
        number(resultText(turned(m_row, *m_column)), Role::Hidden);
        plain(QStringLiteral(")"));
        if (network.gated) {
            plain(QStringLiteral("·"));
            number(inBrackets(hidden(m_row, *m_column)), Role::Hidden);
        }
        equals(own(m_row, *m_column));
    }

    void headInput(const MatrixView &own) {
        const core::HeadWeights &head = m_trace.model().weights.head;
        const SharedMatrix from = matrixBefore();
        if (from.empty())
            return values(own, Role::Residual);
        if (config().head.kind == core::HeadKind::MaskedLanguage) {
            // What its norm reads is no stage: the row before and the row after.
            vector(from.row(m_row), Role::Residual);
            plain(QStringLiteral(" · "));
            letter(QStringLiteral("W"), QStringLiteral("t"), Role::Residual);
            if (head.transformBias)
                plain(QStringLiteral(" + b"));
            plain(QStringLiteral(", %1").arg(titleOf(config().head.activation)));
            if (config().head.norm && config().hasNorm())
                plain(QStringLiteral(", ") + titleOf(config().norm.kind));
            plain(QStringLiteral(" → "));
            return values(own, Role::Residual);
        }
        vectorOrNumber(from, Role::Residual);
        plain(QStringLiteral(" ÷ √%1").arg(config().width));
        if (m_column)
            return equals(own(m_row, *m_column));
        plain(QStringLiteral(" = "));
        vector(own.row(m_row), Role::Residual);
    }

    /// e^(logit − largest) ÷ their sum over all words.
    void probabilities(const MatrixView &own) {
        const SharedMatrix all = matrix(Stage::Logits);
        const auto logits = all.row(m_row);
        const float largest = *std::ranges::max_element(logits);
        double sum = 0;
        for (const float logit : logits)
            sum += std::exp(static_cast<double>(logit) - static_cast<double>(largest));
        if (!m_column) {
            plain(QStringLiteral("softmax"));
            vector(logits, Role::Logits);
            plain(QStringLiteral(" = "));
            return vector(own.row(m_row), Role::Weights);
        }
        plain(QStringLiteral("e^("));
        number(resultText(logits[static_cast<std::size_t>(*m_column)]), Role::Logits);
        plain(QStringLiteral(" − "));
        number(largest < 0 ? QStringLiteral("(%1)").arg(resultText(largest)) : resultText(largest),
               Role::Logits);
        plain(QStringLiteral(") ÷ ") + rounded(sum));
        equals(own(m_row, *m_column));
        muted(Words::tr("   (the sum over all %1 words)").arg(logits.size()));
    }
};

} // namespace

Spans blockArithmetic(const core::Trace &trace, const core::Selection &selection,
                      const FigureStyle &style) {
    return Writer(trace, selection, style).write();
}

} // namespace headlight::ui
