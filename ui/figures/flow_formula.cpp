#include "ui/figures/flow_formula.h"

#include "core/operations/alibi.h"
#include "ui/figures/formula_line.h"
#include "ui/figures/number_text.h"
#include "ui/figures/provenance.h"

#include <QCoreApplication>

#include <cmath>

namespace headlight::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Formula)
};

using core::Role;
using Line = FormulaLine;

/// Q = X · W_Q + b_Q, of what is read: X, or its norm, or the second sequence.
void projection(Line &line, const core::Trace &trace, const core::Selection &place,
                const QString &letter, const core::Parameter &bias) {
    const core::StageInfo &info = core::infoOf(place.stage);
    const core::StageAt from = info.ofKeys() ? attendedBy(trace, place) : readBy(trace, place);
    line.symbol(symbolOf(trace, place.stage), info.role).plain(QStringLiteral(" = "));
    line.symbol(symbolOf(trace, from.stage), Role::Residual).plain(QStringLiteral(" · "));
    line.weight(letter, info.role);
    if (bias)
        line.bias(letter, info.role);
    if (place.block == core::Block::CrossAttention && info.ofKeys())
        line.note(trace.model().hasEncoder() ? Words::tr("of what the encoder gives")
                                             : Words::tr("of the source"));
    else if (info.ofKeys() && trace.model().config.groups() < trace.model().config.heads)
        line.note(Words::tr("%1 of %2: several heads share them")
                      .arg(trace.model().config.groupOf(place.head))
                      .arg(trace.model().config.groups()));
}

/// Q_i = R_i · Q°_i: row i turned by its position.
void rotation(Line &line, const core::Trace &trace, const core::Selection &place) {
    const Role role = core::infoOf(place.stage).role;
    const QString letter = symbolOf(trace, place.stage);
    const QString i = QStringLiteral("i");
    line.symbol(letter, role).sub(i, role).plain(QStringLiteral(" = R")).sub(i, Role::Scores);
    line.plain(QStringLiteral(" · ")).symbol(letter + QStringLiteral("°"), role).sub(i, role);
    line.note(Words::tr("each pair of dimensions of token i turned by an angle that grows with i"));
}

void positionBias(Line &line, const core::Trace &trace, const core::Selection &place) {
    line.symbol(u"P", Role::Scores).plain(QStringLiteral(" = "));
    if (trace.model().config.positions == core::Positions::Alibi) {
        const auto slopes = core::alibiSlopes(trace.model().config.heads);
        line.plain(QStringLiteral("−m · |i − j|"));
        line.note(Words::tr("m = %1 in this head: what is far counts less")
                      .arg(fullText(slopes[static_cast<std::size_t>(place.head)])));
        return;
    }
    line.plain(QStringLiteral("B[ bucket(j − i) ]"));
    line.note(Words::tr("a learned number for each bucket of distances, in every layer the same"));
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

bool addsBias(const core::Trace &trace, const core::Selection &place) {
    return trace.has(core::Stage::BiasedScores, place.site());
}

/// S, or S + P.
Line &scores(Line &line, bool biased) {
    line.symbol(u"S", Role::Scores);
    return biased ? line.plain(QStringLiteral(" + ")).symbol(u"P", Role::Scores) : line;
}

void masking(Line &line, const core::Config &config, bool biased) {
    scores(line, biased).plain(QStringLiteral(" + ")).symbol(u"M", Role::Scores);
    if (std::isinf(config.masking.value))
        line.note(Words::tr("M is −∞ where a key is hidden, else 0"));
    else
        line.note((biased ? Words::tr("%1 takes the place of S + P where a key is hidden")
                          : Words::tr("%1 takes the place of S where a key is hidden"))
                      .arg(fullText(config.masking.value)));
}

/// From scores to weights: A = softmax(S + M), A′ = softmax(S), A = (S + M) / 2 without softmax.
void weighing(Line &line, const core::Config &config, bool masked, bool biased) {
    line.symbol(masked ? u"A" : u"A′", Role::Weights).plain(QStringLiteral(" = "));
    if (config.softmax)
        line.plain(QStringLiteral("softmax("));
    const bool divided = config.temperature != 1;
    if ((masked || biased) && divided)
        line.plain(QStringLiteral("("));
    scores(line, biased);
    if (masked)
        line.plain(QStringLiteral(" + ")).symbol(u"M", Role::Scores);
    if ((masked || biased) && divided)
        line.plain(QStringLiteral(")"));
    if (divided)
        line.plain(QStringLiteral(" / ") + fullText(config.temperature));
    if (config.softmax)
        line.plain(QStringLiteral(")")).note(Words::tr("along each row"));
    else
        line.note(masked ? Words::tr("no softmax; 0 where a key is hidden by −∞")
                         : Words::tr("no softmax"));
}

void maskedWeights(Line &line, const core::Config &config, core::HeadState state, bool biased) {
    if (state == core::HeadState::Uniform) {
        line.symbol(u"A", Role::Weights).plain(QStringLiteral(" = 1 / n"));
        line.note(Words::tr("the head is uniform: the same for each of the n keys in sight"));
    } else if (config.masking.afterSoftmax) {
        line.symbol(u"A", Role::Weights).plain(QStringLiteral(" = "));
        line.symbol(u"A′", Role::Weights).plain(QStringLiteral(" · [") + Words::tr("in sight"));
        line.plain(QStringLiteral("]"));
        line.note(Words::tr("0 where a key is hidden: rows no longer sum to 1"));
    } else {
        weighing(line, config, true, biased);
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

} // namespace

namespace {

/// X, or where the norm of it is X what the sum is of.
QString embeddingSumSymbol(const core::Model &model) {
    const core::Config &config = model.config;
    if (!config.hasNorm() || !config.norm.embedding)
        return QStringLiteral("X");
    QString symbol = QStringLiteral("E");
    if (config.positions == core::Positions::Sinusoidal ||
        config.positions == core::Positions::Learned)
        symbol += QStringLiteral(" + P");
    if (model.weights.main.tokenTypes)
        symbol += QStringLiteral(" + T");
    return symbol;
}

} // namespace

QString symbolOf(const core::Trace &trace, core::Stage stage) {
    if (stage == core::Stage::EmbeddingSum)
        return embeddingSumSymbol(trace.model());
    const core::Model &model = trace.model();
    const bool changed = trace.has(core::Stage::EmbeddingSum,
                                   core::Site(0, core::Block::SelfAttention, model.mainStack())) ||
                         (model.config.hasNorm() && model.config.norm.embedding) ||
                         model.config.tokenWidth() != model.config.width;
    if (stage == core::Stage::Embeddings && !changed)
        return QStringLiteral("X"); // what enters the layers are the embeddings themselves
    if (stage == core::Stage::Activated && model.config.feedForward.gated)
        return QStringLiteral("σ(G) ⊙ H");
    const std::string_view symbol = core::infoOf(stage).symbol;
    return QString::fromUtf8(symbol.data(), static_cast<qsizetype>(symbol.size()));
}

Spans formulaOf(const core::Trace &trace, const core::Selection &place, const FigureStyle &style) {
    const core::Config &config = trace.model().config;
    const core::HeadState state = trace.input().interventions.stateOf(place.site(), place.head);
    core::AttentionWeights weights;
    if (trace.model().hasAttention(place.site()))
        weights = trace.model().attention(place.site());
    const bool biased = addsBias(trace, place);
    const QString q = QStringLiteral("Q"), k = QStringLiteral("K");
    Line line(style);
    using enum core::Stage;
    switch (place.stage) {
    case UnrotatedQuery:
        projection(line, trace, place, q, weights.queryBias);
        break;
    case UnrotatedKey:
        projection(line, trace, place, k, weights.keyBias);
        break;
    case Query:
        if (trace.has(UnrotatedQuery, place.site()))
            rotation(line, trace, place);
        else
            projection(line, trace, place, q, weights.queryBias);
        break;
    case Key:
        if (trace.has(UnrotatedKey, place.site()))
            rotation(line, trace, place);
        else
            projection(line, trace, place, k, weights.keyBias);
        break;
    case Value:
        projection(line, trace, place, QStringLiteral("V"), weights.valueBias);
        break;
    case Scores:
        dotProducts(line).plain(QStringLiteral(" = "));
        line.symbol(u"Q", Role::Query).plain(QStringLiteral(" · ")).symbol(u"Kᵀ", Role::Key);
        line.note(Words::tr("each query's dot product with each key"));
        break;
    case ScaledScores:
        scaling(line, config);
        break;
    case PositionBias:
        positionBias(line, trace, place);
        break;
    case BiasedScores:
        scores(line, true).note(Words::tr("what the distance adds to each score"));
        break;
    case MaskedScores:
        masking(line, config, biased);
        break;
    case UnmaskedWeights:
        weighing(line, config, false, biased);
        break;
    case Weights:
        maskedWeights(line, config, state, biased);
        break;
    case Context:
        context(line, state);
        break;
    case Concatenated:
        concatenation(line, config.heads);
        break;
    case Output:
        line.symbol(u"O", Role::Residual).plain(QStringLiteral(" = "));
        concatenation(line, config.heads);
        line.plain(QStringLiteral(" · ")).weight(QStringLiteral("O"), Role::Context);
        if (weights.outputBias)
            line.bias(QStringLiteral("O"), Role::Context);
        break;
    default:
        blockFormula(line, trace, place);
        break;
    }
    return line.done();
}

} // namespace headlight::ui
