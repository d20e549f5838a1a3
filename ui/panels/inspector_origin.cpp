#include "ui/panels/inspector_origin.h"

#include "ui/document/edits/matrix_id.h"
#include "ui/figures/flow_formula.h"
#include "ui/figures/stage_titles.h"
#include "ui/figures/token_names.h"
#include "ui/figures/trace_heatmap.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

using core::CellExplanation;
using core::Origin;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Inspector)
};

/// What is multiplied: "X", "Concat", "N".
QString inputName(const core::Trace &trace, const CellExplanation &cell) {
    return cell.from ? symbolOf(trace, cell.from->stage) : QString();
}

/// "W_Q[:,3]"; of tied embeddings "E[bank,:]".
QString columnText(const core::Trace &trace, const CellExplanation &cell) {
    const QString name = symbolOf(cell.weights->which);
    if (cell.isTransposed)
        return QStringLiteral("E[%1,:]").arg(wordName(trace.model(), cell.column));
    const bool some = cell.firstRow > 0 || cell.heads.empty();
    return cell.firstRow > 0 && some
               ? QStringLiteral("%1[%2…,%3]").arg(name).arg(cell.firstRow).arg(cell.column)
               : QStringLiteral("%1[:,%2]").arg(name).arg(cell.column);
}

QString stageWords(const core::StageAt &at) {
    return titleOf(at.stage);
}

void linearLines(const core::Trace &trace, const CellExplanation &cell, InspectorSection &section) {
    const QString product =
        QStringLiteral("%1 · %2").arg(inputName(trace, cell).toLower(), columnText(trace, cell));
    const QString name = Words::tr("value");
    if (!cell.bias) {
        section.lines << lineOf(name, product, cell.value, true);
    } else {
        section.lines << lineOf(Words::tr("terms"), product, core::sumOf(cell.terms));
        section.lines << lineOf(Words::tr("bias"), QStringLiteral("b[%1]").arg(cell.column),
                                *cell.bias);
        section.lines << lineOf(name, Words::tr("terms + bias"), cell.value, true);
    }
    if (cell.isTransposed)
        section.words = Words::tr("The output matrix is tied: it is the embeddings', turned over.");
}

QString addendName(const core::Addend &addend) {
    switch (addend.kind) {
    case core::Addend::Kind::Embedding:
        return Words::tr("embedding");
    case core::Addend::Kind::Position:
        return Words::tr("position");
    case core::Addend::Kind::TokenType:
        return Words::tr("token type");
    case core::Addend::Kind::Stage:
        break;
    }
    return stageWords(*addend.from);
}

void sumLines(const core::Trace &trace, const CellExplanation &cell, InspectorSection &section) {
    const core::Config &config = trace.model().config;
    for (const core::Addend &addend : cell.addends) {
        QString how;
        if (addend.kind == core::Addend::Kind::Position)
            how = config.positions == core::Positions::Learned
                      ? Words::tr("row %1 of the table").arg(addend.row)
                  : cell.dimension % 2 == 0 ? Words::tr("sine")
                                            : Words::tr("cosine");
        if (addend.kind == core::Addend::Kind::Position &&
            config.positions == core::Positions::Sinusoidal &&
            config.sinusoidOrder == core::SinusoidOrder::Halves)
            how =
                2 * cell.dimension < config.tokenWidth() ? Words::tr("sine") : Words::tr("cosine");
        if (addend.kind == core::Addend::Kind::TokenType)
            how = Words::tr("type %1").arg(addend.row);
        section.lines << lineOf(addendName(addend), how, addend.number);
        if (addend.factor != 1)
            section.lines << lineOf(QStringLiteral("×"),
                                    addend.kind == core::Addend::Kind::Embedding
                                        ? QStringLiteral("√%1").arg(config.width)
                                        : QStringLiteral("1 ÷ √%1").arg(config.width),
                                    static_cast<double>(addend.number) *
                                        static_cast<double>(addend.factor));
    }
    section.lines << lineOf(Words::tr("value"),
                            cell.addends.size() > 1 ? Words::tr("their sum") : QString(),
                            cell.value, true);
}

QString normWords(const core::NormOrigin &norm) {
    switch (norm.kind) {
    case core::NormKind::Batch:
        return Words::tr(
                   "Batch norm: mean and deviation of this channel are over %1 real tokens of "
                   "%2 sequences. So a token's number depends on other sentences and, under "
                   "a causal mask too, on tokens that come later: it leaks.")
            .arg(norm.count)
            .arg(norm.sequences);
    case core::NormKind::RootMeanSquare:
        return Words::tr("RMS norm: divided by the root of the mean square of the token's %1 "
                         "numbers; nothing is centred.")
            .arg(norm.count);
    default:
        return Words::tr("Layer norm: mean and deviation are of the token's own %1 numbers.")
            .arg(norm.count);
    }
}

void normLines(const core::NormOrigin &norm, float value, InspectorSection &section) {
    section.lines << lineOf(Words::tr("number"), {}, norm.input);
    const bool centres = norm.kind != core::NormKind::RootMeanSquare;
    if (centres)
        section.lines << lineOf(Words::tr("mean"), Words::tr("of %1 numbers").arg(norm.count),
                                norm.mean);
    const QString epsilon = shownNumber(static_cast<double>(norm.epsilon));
    section.lines << lineOf(centres ? Words::tr("deviation") : Words::tr("root mean square"),
                            centres ? QStringLiteral("√(σ² + %1)").arg(epsilon)
                                    : Words::tr("√(mean of x² + %1)").arg(epsilon),
                            norm.deviation);
    QString how = centres ? QStringLiteral("(x − μ) ÷ σ") : QStringLiteral("x ÷ RMS");
    if (norm.gain) {
        section.lines << lineOf(Words::tr("gain"), QStringLiteral("γ"), *norm.gain);
        how += QStringLiteral(" · γ");
    }
    if (norm.bias) {
        section.lines << lineOf(Words::tr("bias"), QStringLiteral("β"), *norm.bias);
        how += QStringLiteral(" + β");
    }
    section.lines << lineOf(Words::tr("value"), how, value, true);
    section.words = normWords(norm);
}

void activationLines(const core::ActivationOrigin &made, float value, InspectorSection &section) {
    const QString name = titleOf(made.activation);
    const float active = core::activate(made.input, made.activation);
    if (!made.hidden) {
        section.lines << lineOf(Words::tr("hidden"), {}, made.input);
        section.lines << lineOf(Words::tr("value"), Words::tr("%1 of it").arg(name), value, true);
        return;
    }
    section.lines << lineOf(Words::tr("gate"), {}, made.input)
                  << lineOf(Words::tr("activated"), Words::tr("%1 of the gate").arg(name), active)
                  << lineOf(Words::tr("hidden"), {}, *made.hidden)
                  << lineOf(Words::tr("value"), Words::tr("activated · hidden"), value, true);
}

void rotationLines(const core::RotationOrigin &turn, const CellExplanation &cell,
                   InspectorSection &section) {
    section.lines << lineOf(Words::tr("unrotated"), Words::tr("dimension %1").arg(cell.dimension),
                            turn.own)
                  << lineOf(Words::tr("its partner"), Words::tr("dimension %1").arg(turn.partner),
                            turn.other)
                  << lineOf(Words::tr("angle"),
                            Words::tr("radians, position %1").arg(turn.position), turn.angle)
                  << lineOf(Words::tr("cosine"), {}, turn.cosine)
                  << lineOf(Words::tr("sine"), {}, turn.sine)
                  << lineOf(Words::tr("value"),
                            turn.isFirst ? Words::tr("own · cos − partner · sin")
                                         : Words::tr("own · cos + partner · sin"),
                            cell.value, true);
    section.words = Words::tr("Dimensions %1 and %2 turn together, by an angle that grows with "
                              "the position: a score then depends on how far apart two tokens are.")
                        .arg(std::min(cell.dimension, turn.partner))
                        .arg(std::max(cell.dimension, turn.partner));
}

void shareLines(const core::ShareOrigin &share, float value, InspectorSection &section) {
    const QString exponent =
        (share.maximum < 0 ? QStringLiteral("e^(%1 − (%2))") : QStringLiteral("e^(%1 − %2)"))
            .arg(shownNumber(static_cast<double>(share.logit)),
                 shownNumber(static_cast<double>(share.maximum)));
    section.lines << lineOf(Words::tr("logit"), {}, share.logit)
                  << lineOf(Words::tr("exp"), exponent, share.exponential)
                  << lineOf(Words::tr("probability"),
                            QStringLiteral("%1 ÷ Σ %2")
                                .arg(shownNumber(share.exponential), shownNumber(share.sum)),
                            value, true);
}

QString pooledWords(const core::PooledOrigin &pooled) {
    switch (pooled.pooling) {
    case core::Pooling::First:
        return Words::tr("The first token stands for the sequence.");
    case core::Pooling::Last:
        return Words::tr("The last real token, %1, stands for the sequence.").arg(pooled.token);
    case core::Pooling::Mean:
        return Words::tr("The mean of the %1 real tokens stands for the sequence.")
            .arg(pooled.tokens);
    }
    return {};
}

void pooledLines(const CellExplanation &cell, InspectorSection &section) {
    const QString name = Words::tr("value");
    section.words = pooledWords(*cell.pooled);
    if (!cell.pooled->isMapped) {
        section.lines << lineOf(name, {}, cell.value, true);
        return;
    }
    section.lines << lineOf(Words::tr("terms"), QStringLiteral("u · W_P[:,%1]").arg(cell.column),
                            core::sumOf(cell.terms));
    if (cell.bias)
        section.lines << lineOf(Words::tr("bias"), QStringLiteral("b_P[%1]").arg(cell.column),
                                *cell.bias);
    section.lines << lineOf(name, QStringLiteral("tanh"), cell.value, true);
}

} // namespace

InspectorSection originSection(const core::Trace &trace, const core::Selection &selection,
                               const CellExplanation &cell) {
    InspectorSection section;
    const QString name = Words::tr("value");
    const auto plain = [&](const QString &how, const QString &words) {
        section.lines << lineOf(name, how, cell.value, true);
        section.words = words;
    };
    switch (cell.origin) {
    case Origin::Vector:
        plain({}, {});
        break;
    case Origin::LookUp:
        plain(
            QStringLiteral("E[%1,%2]").arg(*cell.word).arg(cell.dimension),
            Words::tr("Word %1 of the vocabulary: its one-hot row, 1 there and 0 elsewhere, times "
                      "E is row %1 of E.")
                .arg(*cell.word));
        break;
    case Origin::Sum:
        sumLines(trace, cell, section);
        break;
    case Origin::Same:
        plain({}, Words::tr("The same number as at “%1”: nothing is done to it here.")
                      .arg(stageWords(*cell.from)));
        break;
    case Origin::Linear:
        linearLines(trace, cell, section);
        break;
    case Origin::Weighted:
        plain(Words::tr("weights · V[:,%1]").arg(cell.dimension), {});
        break;
    case Origin::Silenced:
        plain(Words::tr("silenced"),
              Words::tr("The head is silenced: its context is 0, whatever its weights."));
        break;
    case Origin::Mean:
        plain(
            Words::tr("mean of %1 tokens").arg(cell.terms.size()),
            Words::tr("The head gives its mean over the sequence's real tokens: the same to every "
                      "row."));
        break;
    case Origin::Head:
        plain(Words::tr("head %1 [%2]").arg(cell.head).arg(cell.headDimension),
              Words::tr("Copied from the context of head %1, dimension %2.")
                  .arg(cell.head)
                  .arg(cell.headDimension));
        break;
    case Origin::Norm:
        normLines(*cell.norm, cell.value, section);
        break;
    case Origin::Rotated:
        rotationLines(*cell.rotation, cell, section);
        break;
    case Origin::Activated:
        activationLines(*cell.activation, cell.value, section);
        break;
    case Origin::Transformed: {
        section.lines << lineOf(Words::tr("linear"), columnText(trace, cell),
                                cell.activation->input);
        const float active = core::activate(cell.activation->input, cell.activation->activation);
        if (cell.norm) {
            section.lines << lineOf(Words::tr("activated"), titleOf(cell.activation->activation),
                                    active);
            normLines(*cell.norm, cell.value, section);
        } else {
            section.lines << lineOf(name, titleOf(cell.activation->activation), cell.value, true);
        }
        break;
    }
    case Origin::Softmax:
        shareLines(*cell.share, cell.value, section);
        break;
    case Origin::Pooled:
        pooledLines(cell, section);
        break;
    }
    if (selection.stage == core::Stage::HeadOutputs)
        section.words = Words::tr("Head %1's share of the output: the shares of all heads%2 sum to "
                                  "it.")
                            .arg(QString::number(selection.head),
                                 trace.model().attention(selection.site()).outputBias
                                     ? Words::tr(" and the bias")
                                     : QString());
    return section;
}

InspectorSection termsSection(const core::Trace &trace, const core::Selection &selection,
                              const CellExplanation &cell, const FigureStyle &style) {
    InspectorSection section;
    if (cell.origin == Origin::Weighted) {
        section.heading = Words::tr("%1 ⊙ %2 BY KEY")
                              .arg(coloured("A", style.accent), coloured("V", style.value));
        section.series = {cell.terms,
                          QStringLiteral("w"),
                          QStringLiteral("v"),
                          Words::tr("key"),
                          keyTokens(trace, selection),
                          {},
                          true};
    } else if (cell.origin == Origin::Mean) {
        section.heading = Words::tr("MEAN OF %1").arg(coloured("A · V", style.context));
        section.series = {cell.terms,
                          QStringLiteral("z"),
                          QStringLiteral("1/n"),
                          Words::tr("token"),
                          queryTokens(trace, selection),
                          {},
                          true};
    } else if (cell.origin == Origin::Pooled && !cell.pooled->isMapped) {
        if (cell.terms.size() < 2)
            return section;
        section.heading = Words::tr("BY TOKEN");
        section.series = {cell.terms,
                          QStringLiteral("x"),
                          QStringLiteral("1/n"),
                          Words::tr("token"),
                          tokensOf(trace.batch(), selection.sequence),
                          {},
                          true};
    } else if (cell.weights && cell.origin != Origin::LookUp && !cell.terms.empty()) {
        const QString input =
            cell.origin == Origin::Pooled ? QStringLiteral("U") : inputName(trace, cell);
        const QString matrix =
            cell.isTransposed ? QStringLiteral("E") : symbolOf(cell.weights->which);
        QString shown = matrix.toHtmlEscaped();
        if (matrix.startsWith(QLatin1String("W_")))
            shown = QStringLiteral("W<sub>%1</sub>").arg(matrix.mid(2));
        section.heading = Words::tr("%1 ⊙ %2 BY DIMENSION").arg(input.toHtmlEscaped(), shown);
        section.series = {cell.terms, input.toLower(), matrix, Words::tr("dimension"), {}, {},
                          true};
    }
    return section;
}

InspectorSection headsSection(const CellExplanation &cell) {
    InspectorSection section;
    section.heading = Words::tr("BY HEAD");
    for (const double part : cell.heads)
        section.series.terms.push_back({static_cast<float>(part), 1});
    section.series.leftName = Words::tr("part");
    section.series.indexName = Words::tr("head");
    return section;
}

} // namespace headlight::ui
