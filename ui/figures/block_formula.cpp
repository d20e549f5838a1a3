#include "ui/figures/flow_formula.h"
#include "ui/figures/formula_line.h"
#include "ui/figures/number_text.h"
#include "ui/figures/provenance.h"
#include "ui/figures/stage_titles.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Formula)
};

using core::Role;
using core::Stage;

class Writer {
  public:
    Writer(FormulaLine &line, const core::Trace &trace, const core::Selection &place)
        : m_line(line), m_trace(trace), m_place(place), m_config(trace.model().config) {}

    void write() {
        using enum core::Stage;
        const core::Model &model = m_trace.model();
        switch (m_place.stage) {
        case Embeddings:
            begin().note(m_place.stack == core::Stack::Source
                             ? Words::tr("one vector for each word of the source")
                             : Words::tr("one vector for each word, the same wherever it stands"));
            break;
        case EmbeddingSum:
            embeddingSum();
            break;
        case Positioned:
            normalised(model.stack(m_place.stack).embeddingNorm);
            break;
        case EmbeddingProjected:
            mapped(QStringLiteral("E"), model.stack(m_place.stack).embeddingProjectionBias);
            m_line.note(Words::tr("from the width of the embeddings to that of the layers"));
            break;
        case LayerInput:
            m_line.symbol(u"X", Role::Residual).note(Words::tr("what the layer before it gave"));
            break;
        case Norm:
            normalised(attention().norm);
            break;
        case FeedForwardNorm:
            normalised(network().norm);
            break;
        case FinalNorm:
            normalised(model.stack(m_place.stack).finalNorm);
            break;
        case ResidualSum:
        case FeedForwardResidualSum:
            sum(false);
            break;
        case Residual:
            if (m_config.normsAfter())
                normalised(attention().norm);
            else
                sum(true);
            break;
        case LayerOutput:
            if (m_config.normsAfter())
                normalised(network().norm);
            else
                sum(true);
            break;
        case Gate:
            read(QStringLiteral("g"), network().gateBias);
            break;
        case Hidden:
            read(QStringLiteral("1"), network().hiddenBias);
            break;
        case Activated:
            activated();
            break;
        case FeedForwardOutput:
            begin().plain(QStringLiteral(" = "));
            m_line.symbol(symbolOf(m_trace, Activated), Role::Hidden).plain(QStringLiteral(" · "));
            m_line.weight(QStringLiteral("2"), Role::Residual);
            if (network().outputBias)
                m_line.bias(QStringLiteral("2"), Role::Residual);
            break;
        default:
            head();
            break;
        }
    }

  private:
    const core::AttentionWeights &attention() const {
        static const core::AttentionWeights none;
        return m_trace.model().hasAttention(m_place.site())
                   ? m_trace.model().attention(m_place.site())
                   : none;
    }
    const core::FeedForwardWeights &network() const {
        return m_trace.model().layer(m_place.stack, m_place.layer).feedForward;
    }
    QString symbolBefore() const {
        const auto at = before(m_trace, m_place);
        return at ? symbolOf(m_trace, at->stage) : QStringLiteral("X");
    }
    /// The stage's own symbol.
    FormulaLine &begin() {
        return m_line.symbol(symbolOf(m_trace, m_place.stage), core::infoOf(m_place.stage).role);
    }

    /// X = E · √C + P + T.
    void embeddingSum() {
        const bool positions = m_config.positions == core::Positions::Sinusoidal ||
                               m_config.positions == core::Positions::Learned;
        if (!m_config.hasNorm() || !m_config.norm.embedding) // else it has no symbol but the sum
            begin().plain(QStringLiteral(" = "));
        m_line.symbol(u"E", Role::Residual);
        if (m_config.scaleEmbeddings)
            m_line.plain(QStringLiteral(" · √%1").arg(m_config.width));
        if (positions)
            m_line.plain(QStringLiteral(" + ")).symbol(u"P", Role::Residual);
        const bool types = m_trace.model().stack(m_place.stack).tokenTypes != nullptr;
        if (types)
            m_line.plain(QStringLiteral(" + ")).symbol(u"T", Role::Residual);
        if (positions)
            m_line.note(types
                            ? Words::tr("each position and each type of token adds its own vector")
                            : Words::tr("each position adds its own vector"));
        else if (types)
            m_line.note(Words::tr("each type of token adds its own vector"));
    }

    void mapped(const QString &letter, const core::Parameter &bias) {
        const Role role = core::infoOf(m_place.stage).role;
        if (m_place.stage != Stage::EmbeddingProjected) // whose symbol is its formula
            begin().plain(QStringLiteral(" = "));
        m_line.symbol(symbolBefore(), Role::Residual).plain(QStringLiteral(" · "));
        m_line.weight(letter, role);
        if (bias)
            m_line.bias(letter, role);
    }

    /// N = (X − μ) / √(σ² + ε) · γ + β.
    void normalised(const core::NormWeights &weights) {
        if (!m_config.hasNorm()) { // a capture
            begin();
            return;
        }
        const bool residual =
            m_place.stage == Stage::Norm || m_place.stage == Stage::FeedForwardNorm;
        const QString x =
            residual ? symbolOf(m_trace, inputOf(m_trace, m_place).stage) : symbolBefore();
        const bool centred = m_config.norm.kind != core::NormKind::RootMeanSquare;
        const QString inner = x.contains(QLatin1Char('+')) ? QStringLiteral("(%1)").arg(x) : x;
        begin().plain(QStringLiteral(" = "));
        if (centred) {
            m_line.plain(QStringLiteral("(")).symbol(x, Role::Residual);
            m_line.plain(QStringLiteral(" − μ) / √(σ² + ε)"));
        } else {
            m_line.symbol(inner, Role::Residual);
            m_line.plain(QStringLiteral(" / √(mean of "));
            m_line.symbol(inner + QStringLiteral("²"), Role::Residual)
                .plain(QStringLiteral(" + ε)"));
        }
        if (weights.gain)
            m_line.plain(QStringLiteral(" · γ"));
        if (weights.bias && centred)
            m_line.plain(QStringLiteral(" + β"));
        m_line.note(normWords());
    }
    QString normWords() const {
        const QString epsilon = fullText(m_config.norm.epsilon);
        switch (m_config.norm.kind) {
        case core::NormKind::Layer:
            return Words::tr("mean and variance of each row by itself; ε = %1").arg(epsilon);
        case core::NormKind::RootMeanSquare:
            return Words::tr("of each row by itself; nothing is subtracted; ε = %1").arg(epsilon);
        case core::NormKind::Batch:
            return Words::tr("statistics of each column over all real tokens of the batch: it "
                             "leaks across sentences and future");
        case core::NormKind::None:
            break;
        }
        return {};
    }

    /// R = X + O.
    void sum(bool named) {
        if (named)
            begin().plain(QStringLiteral(" = "));
        m_line.symbol(symbolOf(m_trace, inputOf(m_trace, m_place).stage), Role::Residual);
        m_line.plain(QStringLiteral(" + "));
        m_line.symbol(symbolOf(m_trace, madeBy(m_trace, m_place).stage), Role::Residual);
        m_line.note(Words::tr("what was read goes on, and what was made of it is added"));
    }

    void read(const QString &letter, const core::Parameter &bias) {
        begin().plain(QStringLiteral(" = "));
        m_line.symbol(symbolOf(m_trace, readBy(m_trace, m_place).stage), Role::Residual);
        m_line.plain(QStringLiteral(" · ")).weight(letter, Role::Hidden);
        if (bias)
            m_line.bias(letter, Role::Hidden);
    }

    void activated() {
        const core::FeedForward &network = m_config.feedForward;
        m_line.plain(titleOf(network.activation) + QStringLiteral("("));
        m_line.symbol(network.gated ? u"G" : u"H", Role::Hidden).plain(QStringLiteral(")"));
        if (network.gated)
            m_line.plain(QStringLiteral(" ⊙ ")).symbol(u"H", Role::Hidden);
        m_line.note(activationWords(network.activation));
    }
    static QString activationWords(core::Activation activation) {
        switch (activation) {
        case core::Activation::Relu:
            return Words::tr("number by number: max(0, x)");
        case core::Activation::Gelu:
            return Words::tr(
                "number by number: x · Φ(x), the share of a normal distribution below x");
        case core::Activation::GeluTanh:
            return Words::tr("number by number: ½x · (1 + tanh(√(2/π) · (x + 0.044715x³)))");
        case core::Activation::Silu:
            return Words::tr("number by number: x / (1 + e⁻ˣ)");
        }
        return {};
    }

    void head() {
        const core::HeadWeights &weights = m_trace.model().weights.head;
        switch (m_place.stage) {
        case Stage::HeadInput:
            headInput(weights);
            break;
        case Stage::Logits:
            logits(weights);
            break;
        case Stage::Probabilities:
            begin().plain(QStringLiteral(" = softmax("));
            m_line.symbol(u"L", Role::Logits).plain(QStringLiteral(")"));
            m_line.note(Words::tr("over all words, along each row"));
            break;
        case Stage::Pooled:
            pooled(weights);
            break;
        case Stage::ClassLogits:
            mapped(QStringLiteral("c"), weights.classifierBias);
            break;
        default:
            begin();
            break;
        }
    }
    void headInput(const core::HeadWeights &weights) {
        const QString x = symbolBefore();
        begin().plain(QStringLiteral(" = "));
        if (m_config.head.kind != core::HeadKind::MaskedLanguage) {
            m_line.symbol(x, Role::Residual).plain(QStringLiteral(" / √%1").arg(m_config.width));
            m_line.note(Words::tr("divided by the square root of the width, since the embeddings "
                                  "are the output matrix as well"));
            return;
        }
        const bool normed = m_config.head.norm && m_config.hasNorm();
        if (normed)
            m_line.plain(titleOf(m_config.norm.kind) + QStringLiteral("("));
        m_line.plain(titleOf(m_config.head.activation) + QStringLiteral("("));
        m_line.symbol(x, Role::Residual).plain(QStringLiteral(" · "));
        m_line.weight(QStringLiteral("t"), Role::Residual);
        if (weights.transformBias)
            m_line.bias(QStringLiteral("t"), Role::Residual);
        m_line.plain(normed ? QStringLiteral("))") : QStringLiteral(")"));
    }
    void logits(const core::HeadWeights &weights) {
        if (weights.output)
            return mapped(QStringLiteral("U"), weights.outputBias);
        begin().plain(QStringLiteral(" = ")).symbol(symbolBefore(), Role::Residual);
        m_line.plain(QStringLiteral(" · ")).symbol(u"Eᵀ", Role::Residual);
        if (weights.outputBias)
            m_line.plain(QStringLiteral(" + ")).symbol(u"b", Role::Logits);
        m_line.note(Words::tr("the dot product with each word's embedding"));
    }
    void pooled(const core::HeadWeights &weights) {
        begin().plain(QStringLiteral(" = "));
        if (weights.pooler)
            m_line.plain(QStringLiteral("tanh("));
        const QString x = symbolBefore();
        switch (m_config.head.pooling) {
        case core::Pooling::First:
            m_line.plain(Words::tr("first row of") + QLatin1Char(' '));
            break;
        case core::Pooling::Last:
            m_line.plain(Words::tr("last real row of") + QLatin1Char(' '));
            break;
        case core::Pooling::Mean:
            m_line.plain(Words::tr("mean of the real rows of") + QLatin1Char(' '));
            break;
        }
        m_line.symbol(x, Role::Residual);
        if (!weights.pooler)
            return;
        m_line.plain(QStringLiteral(" · ")).weight(QStringLiteral("p"), Role::Residual);
        if (weights.poolerBias)
            m_line.bias(QStringLiteral("p"), Role::Residual);
        m_line.plain(QStringLiteral(")"));
    }

    FormulaLine &m_line;
    const core::Trace &m_trace;
    const core::Selection &m_place;
    const core::Config &m_config;
};

} // namespace

void blockFormula(FormulaLine &line, const core::Trace &trace, const core::Selection &place) {
    Writer(line, trace, place).write();
}

} // namespace headlight::ui
