#include "ui/figures/flow_formula.h"

#include "ui/figures/number_text.h"

#include <QCoreApplication>

#include <cmath>

namespace headlight::ui {

namespace {

/// Puts a line together, each symbol in its role's colour.
class Line {
  public:
    explicit Line(const FigureStyle &style) : m_style(style) {}

    Line &symbol(const char16_t *text, core::Role role, Span::Place place = Span::Place::Line) {
        m_spans.append({QString::fromUtf16(text), m_style.colourOf(role), true, place});
        return *this;
    }
    Line &sub(const QString &text, core::Role role) {
        m_spans.append({text, m_style.colourOf(role), true, Span::Place::Subscript});
        return *this;
    }
    Line &plain(const QString &text) {
        m_spans.append({text, m_style.text, false, Span::Place::Line});
        return *this;
    }
    Line &note(const QString &text) {
        m_spans.append(
            {QStringLiteral("      ") + text, m_style.mutedText, false, Span::Place::Line});
        return *this;
    }
    Spans done() const { return m_spans; }

  private:
    const FigureStyle &m_style;
    Spans m_spans;
};

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Formula)
};

using core::Role;

Line &projection(Line &line, const char16_t *symbol, Role role, bool biased) {
    const QString letter = QString::fromUtf16(symbol);
    line.symbol(symbol, role).plain(QStringLiteral(" = "));
    line.symbol(u"X", Role::Residual).plain(QStringLiteral(" · "));
    line.symbol(u"W", role).sub(letter, role);
    if (biased)
        line.plain(QStringLiteral(" + ")).symbol(u"b", role).sub(letter, role);
    return line;
}

Line &dotProducts(Line &line) {
    return line.symbol(u"Q", Role::Query).symbol(u"Kᵀ", Role::Key);
}

void scaling(Line &line, const core::Config &config) {
    line.symbol(u"S", Role::Scores).plain(QStringLiteral(" = "));
    dotProducts(line);
    switch (config.scale.kind) {
    case core::Scale::Kind::SquareRoot:
        line.plain(QStringLiteral(" / √%1").arg(config.headSize));
        line.note(Words::tr("divided by the square root of the head size"));
        break;
    case core::Scale::Kind::Number:
        line.plain(QStringLiteral(" / ") + fullText(config.scale.number));
        break;
    case core::Scale::Kind::Off:
        line.note(Words::tr("scaling is off"));
        break;
    }
}

void masking(Line &line, const core::Config &config) {
    line.symbol(u"S", Role::Scores).plain(QStringLiteral(" + ")).symbol(u"M", Role::Scores);
    if (std::isinf(config.masking.value))
        line.note(Words::tr("M is −∞ where a key is hidden, else 0"));
    else
        line.note(Words::tr("%1 takes the place of S where a key is hidden")
                      .arg(fullText(config.masking.value)));
}

/// From scores to weights: A = softmax(S + M), A′ = softmax(S), A = (S + M) / 2 without softmax.
void weighing(Line &line, const core::Config &config, bool masked) {
    line.symbol(masked ? u"A" : u"A′", Role::Weights).plain(QStringLiteral(" = "));
    if (config.softmax)
        line.plain(QStringLiteral("softmax("));
    const bool divided = config.temperature != 1;
    if (masked && divided)
        line.plain(QStringLiteral("("));
    line.symbol(u"S", Role::Scores);
    if (masked)
        line.plain(QStringLiteral(" + ")).symbol(u"M", Role::Scores);
    if (masked && divided)
        line.plain(QStringLiteral(")"));
    if (divided)
        line.plain(QStringLiteral(" / ") + fullText(config.temperature));
    if (config.softmax)
        line.plain(QStringLiteral(")")).note(Words::tr("along each row"));
    else
        line.note(masked ? Words::tr("no softmax; 0 where a key is hidden by −∞")
                         : Words::tr("no softmax"));
}

void maskedWeights(Line &line, const core::Config &config, core::HeadState state) {
    if (state == core::HeadState::Uniform) {
        line.symbol(u"A", Role::Weights).plain(QStringLiteral(" = 1 / n"));
        line.note(Words::tr("the head is uniform: the same for each of the n keys in sight"));
    } else if (config.masking.afterSoftmax) {
        line.symbol(u"A", Role::Weights).plain(QStringLiteral(" = "));
        line.symbol(u"A′", Role::Weights);
        line.note(Words::tr("0 where a key is hidden: rows no longer sum to 1"));
    } else {
        weighing(line, config, true);
    }
}

void context(Line &line, core::HeadState state) {
    line.symbol(u"Z", Role::Context).plain(QStringLiteral(" = "));
    if (state == core::HeadState::Zero) {
        line.plain(QStringLiteral("0")).note(Words::tr("the head is silenced"));
        return;
    }
    if (state == core::HeadState::Mean)
        line.plain(Words::tr("mean of") + QLatin1Char(' '));
    line.symbol(u"A", Role::Weights).plain(QStringLiteral(" · ")).symbol(u"V", Role::Value);
    if (state == core::HeadState::Mean)
        line.note(Words::tr("over the real tokens, the same for every row"));
}

void concatenation(Line &line, core::Index heads) {
    line.plain(QStringLiteral("Concat("));
    line.symbol(u"Z", Role::Context).sub(QStringLiteral("0"), Role::Context);
    if (heads > 2)
        line.plain(QStringLiteral(", …"));
    if (heads > 1) {
        line.plain(QStringLiteral(", "));
        line.symbol(u"Z", Role::Context).sub(QString::number(heads - 1), Role::Context);
    }
    line.plain(QStringLiteral(")"));
}

void input(Line &line, const core::Trace &trace, core::Stage stage, core::Index layer) {
    const bool positions = trace.has(core::Stage::EmbeddingSum);
    if (layer > 0) {
        line.symbol(u"X", Role::Residual).note(Words::tr("what the layer before it gave"));
    } else if (positions && stage != core::Stage::Embeddings) {
        line.symbol(u"X", Role::Residual).plain(QStringLiteral(" = "));
        line.symbol(u"E", Role::Residual).plain(QStringLiteral(" + ")).symbol(u"P", Role::Residual);
        line.note(Words::tr("each position adds its own vector"));
    } else {
        line.symbol(positions ? u"E" : u"X", Role::Residual);
        line.note(Words::tr("one vector for each word, the same wherever it stands"));
    }
}

} // namespace

QString symbolOf(const core::Trace &trace, core::Stage stage) {
    if (stage == core::Stage::EmbeddingSum && !trace.model().config.norm.embedding)
        return QStringLiteral("X");
    const core::Model &model = trace.model();
    const bool changed = trace.has(core::Stage::EmbeddingSum,
                                   core::Site(0, core::Block::SelfAttention, model.mainStack())) ||
                         (model.config.hasNorm() && model.config.norm.embedding) ||
                         model.config.tokenWidth() != model.config.width;
    if (stage == core::Stage::Embeddings && !changed)
        return QStringLiteral("X"); // what enters the layers are the embeddings themselves
    const std::string_view symbol = core::infoOf(stage).symbol;
    return QString::fromUtf8(symbol.data(), static_cast<qsizetype>(symbol.size()));
}

Spans formulaOf(const core::Trace &trace, const core::Selection &place, const FigureStyle &style) {
    const core::Stage stage = place.stage;
    const core::Index layer = place.layer;
    const core::Config &config = trace.model().config;
    const core::HeadState state = trace.input().interventions.stateOf(layer, place.head);
    const auto &layers = trace.model().weights.main.layers;
    core::AttentionWeights weights;
    if (layer >= 0 && layer < static_cast<core::Index>(layers.size()))
        weights = layers[static_cast<std::size_t>(layer)].selfAttention;
    Line line(style);
    switch (stage) {
    case core::Stage::Embeddings:
    case core::Stage::EmbeddingSum:
    case core::Stage::Positioned:
        input(line, trace, stage, layer);
        break;
    case core::Stage::Query:
        projection(line, u"Q", Role::Query, weights.queryBias != nullptr);
        break;
    case core::Stage::Key:
        projection(line, u"K", Role::Key, weights.keyBias != nullptr);
        break;
    case core::Stage::Value:
        projection(line, u"V", Role::Value, weights.valueBias != nullptr);
        break;
    case core::Stage::Scores:
        dotProducts(line).plain(QStringLiteral(" = "));
        line.symbol(u"Q", Role::Query).plain(QStringLiteral(" · ")).symbol(u"Kᵀ", Role::Key);
        line.note(Words::tr("each query's dot product with each key"));
        break;
    case core::Stage::ScaledScores:
        scaling(line, config);
        break;
    case core::Stage::MaskedScores:
        masking(line, config);
        break;
    case core::Stage::UnmaskedWeights:
        weighing(line, config, false);
        break;
    case core::Stage::Weights:
        maskedWeights(line, config, state);
        break;
    case core::Stage::Context:
        context(line, state);
        break;
    case core::Stage::Concatenated:
        concatenation(line, config.heads);
        break;
    case core::Stage::Output:
        line.symbol(u"O", Role::Residual).plain(QStringLiteral(" = "));
        concatenation(line, config.heads);
        line.plain(QStringLiteral(" · "));
        line.symbol(u"W", Role::Context).sub(QStringLiteral("O"), Role::Context);
        if (weights.outputBias)
            line.plain(QStringLiteral(" + "))
                .symbol(u"b", Role::Context)
                .sub(QStringLiteral("O"), Role::Context);
        break;
    default:
        break;
    }
    return line.done();
}

} // namespace headlight::ui
