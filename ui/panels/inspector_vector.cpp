// The inspector at the stages of vectors: the row's vector, and the terms of one of its numbers.
#include "ui/figures/flow_formula.h"
#include "ui/figures/trace_heatmap.h"
#include "ui/panels/inspector_content.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Inspector)
};

/// What one row of the stage is called; %1 is the token.
QString rowTemplate(core::Stage stage) {
    switch (stage) {
    case core::Stage::Embeddings:
        return Words::tr("Embedding of %1");
    case core::Stage::EmbeddingSum:
        return Words::tr("Embedding + position of %1");
    case core::Stage::Positioned:
        return Words::tr("%1 as it enters the layer");
    case core::Stage::Query:
        return Words::tr("Query of %1");
    case core::Stage::Key:
        return Words::tr("Key of %1");
    case core::Stage::Value:
        return Words::tr("Value of %1");
    case core::Stage::Context:
        return Words::tr("Context of %1");
    case core::Stage::Concatenated:
        return Words::tr("All heads of %1 side by side");
    default:
        return Words::tr("Output of %1");
    }
}

/// The matrix that a linear stage multiplies with: "W_Q".
QString matrixName(core::Stage stage) {
    switch (stage) {
    case core::Stage::Query:
        return QStringLiteral("W_Q");
    case core::Stage::Key:
        return QStringLiteral("W_K");
    case core::Stage::Value:
        return QStringLiteral("W_V");
    default:
        return QStringLiteral("W_O");
    }
}

/// What is multiplied with that matrix.
QString inputName(core::Stage stage) {
    return stage == core::Stage::Output ? Words::tr("Concat") : QStringLiteral("X");
}

/// The matrix's column that makes this number: in W_Q, W_K and W_V the heads stand side by side.
core::Index columnOf(const core::Trace &trace, const core::Selection &selection) {
    const core::Index before =
        core::infoOf(selection.stage).perHead ? selection.head * trace.model().config.headSize : 0;
    return before + *selection.dimension;
}

void explainOrigin(const core::Trace &trace, const core::Selection &selection,
                   const core::CellExplanation &cell, InspectorSection &section) {
    const QString name = Words::tr("value");
    const double bias = static_cast<double>(cell.bias.value_or(0));
    switch (cell.origin) {
    case core::Origin::Linear: {
        const QString product =
            QStringLiteral("%1 · %2[:,%3]")
                .arg(inputName(selection.stage).toLower(), matrixName(selection.stage),
                     QString::number(columnOf(trace, selection)));
        if (!cell.bias) {
            section.lines << lineOf(name, product, cell.value, true);
            return;
        }
        section.lines << lineOf(Words::tr("terms"), product, core::sumOf(cell.terms));
        section.lines << lineOf(
            Words::tr("bias"), QStringLiteral("b[%1]").arg(columnOf(trace, selection)), *cell.bias);
        section.lines << lineOf(name, Words::tr("terms + bias"), cell.value, true);
        return;
    }
    case core::Origin::Weighted:
        section.lines << lineOf(name, Words::tr("weights · V[:,%1]").arg(cell.dimension),
                                cell.value, true);
        return;
    case core::Origin::Silenced:
        section.lines << lineOf(name, Words::tr("silenced"), cell.value, true);
        section.words = Words::tr("The head is silenced: its context is 0, whatever its weights.");
        return;
    case core::Origin::Mean:
        section.lines << lineOf(name, Words::tr("mean of %1 tokens").arg(cell.terms.size()),
                                cell.value, true);
        section.words = Words::tr("The head gives its mean over the sequence's real tokens: the "
                                  "same to every row.");
        return;
    case core::Origin::Position:
        section.lines << lineOf(Words::tr("embedding"), {}, cell.terms.front().left);
        section.lines << lineOf(Words::tr("position"),
                                cell.dimension % 2 == 0 ? Words::tr("sine") : Words::tr("cosine"),
                                bias);
        section.lines << lineOf(name, Words::tr("their sum"), cell.value, true);
        return;
    case core::Origin::Head:
        section.lines << lineOf(name,
                                Words::tr("head %1 [%2]").arg(cell.head).arg(cell.headDimension),
                                cell.value, true);
        section.words = Words::tr("Copied from the context of head %1, dimension %2.")
                            .arg(cell.head)
                            .arg(cell.headDimension);
        return;
    case core::Origin::LayerOutput:
        section.lines << lineOf(name, {}, cell.value, true);
        section.words = Words::tr("What layer %1 put out.").arg(selection.layer - 1);
        return;
    case core::Origin::Same:
        section.lines << lineOf(name, {}, cell.value, true);
        section.words = Words::tr("No position is added: the embedding as it is.");
        return;
    case core::Origin::Vector:
        break;
    }
    section.lines << lineOf(name, {}, cell.value, true);
}

/// Whether the words' vectors are given or made from a seed.
QString embeddingRemark(const core::Trace &trace, const core::Selection &selection,
                        core::Index row) {
    const core::Sequence &sequence = trace.batch()[selection.sequence];
    if (sequence.embeddings)
        return Words::tr("This sequence came with its own vectors.");
    const std::string &token = sequence.tokens[static_cast<std::size_t>(row)];
    return trace.model().embeddings->isGiven(token)
               ? Words::tr("The word's own vector, the same wherever the word stands.")
               : Words::tr("Nobody gave this word a vector: it was made from the seed and the "
                           "word's spelling.");
}

/// The terms of the cell as bars; empty where it has none that are worth a bar.
InspectorSection termsSection(const core::Selection &selection, const core::CellExplanation &cell,
                              const QStringList &tokens, const FigureStyle &style) {
    InspectorSection section;
    if (cell.origin == core::Origin::Weighted) {
        section.heading = Words::tr("%1 ⊙ %2 BY KEY")
                              .arg(coloured("A", style.accent), coloured("V", style.value));
        section.series = {
            cell.terms, QStringLiteral("w"), QStringLiteral("v"), Words::tr("key"), tokens, {},
            true};
    } else if (cell.origin == core::Origin::Mean) {
        section.heading = Words::tr("MEAN OF %1").arg(coloured("A · V", style.context));
        section.series = {
            cell.terms, QStringLiteral("z"), QStringLiteral("1/n"), Words::tr("token"), tokens, {},
            true};
    } else if (cell.origin == core::Origin::Linear) {
        const QString matrix = matrixName(selection.stage);
        section.heading = Words::tr("%1 ⊙ %2 BY DIMENSION")
                              .arg(inputName(selection.stage),
                                   QStringLiteral("W<sub>%1</sub>").arg(matrix.back()));
        section.series = {cell.terms, inputName(selection.stage).toLower(),
                          matrix,     Words::tr("dimension"),
                          {},         {},
                          true};
    }
    return section;
}

InspectorSection headsSection(const core::CellExplanation &cell) {
    InspectorSection section;
    section.heading = Words::tr("BY HEAD");
    for (const double part : cell.heads)
        section.series.terms.push_back({static_cast<float>(part), 1});
    section.series.leftName = Words::tr("part");
    section.series.indexName = Words::tr("head");
    return section;
}

InspectorSection vectorSection(const core::Trace &trace, const core::VectorExplanation &vector,
                               const core::Selection &selection, const FigureStyle &style) {
    InspectorSection section;
    const core::Stage named = namedStage(selection.stage, selection.layer);
    section.heading = Words::tr("ROW OF %1")
                          .arg(coloured(symbolOf(trace, named).toHtmlEscaped(),
                                        style.colourOf(core::infoOf(named).role)));
    section.lines << lineOf(Words::tr("norm"), Words::tr("of %1 numbers").arg(vector.values.size()),
                            vector.norm);
    for (const float value : vector.values)
        section.series.terms.push_back({value, 1});
    section.series.leftName = Words::tr("value");
    section.series.indexName = Words::tr("dimension");
    section.series.sums = false;
    section.series.current = selection.dimension;
    return section;
}

} // namespace

InspectorContent inspectVector(const core::Trace &trace, const core::Selection &selection,
                               const FigureStyle &style) {
    // A dimension beyond this stage's width was chosen at a wider one.
    core::Selection place = selection;
    const core::Tensor tensor = core::stageTensor(trace, place.stage, place.site());
    if (place.dimension && !tensor.isNull() && *place.dimension >= tensor.shape().last(0))
        place.dimension.reset();
    const core::Result<core::VectorExplanation> vector = core::explainVector(trace, place);
    if (!vector)
        return {};
    const QStringList tokens = tokensOf(trace, place.sequence);
    const QString token = tokens.value(vector->row);
    const QString said = rowTemplate(namedStage(place.stage, place.layer));
    InspectorContent content;
    content.isEmpty = false;
    content.headline = said.arg(tokenHtml(token, style));
    content.title = said.arg(token);
    QStringList where{Words::tr("token %1").arg(vector->row)};
    if (vector->cell)
        where << Words::tr("dimension %1").arg(vector->cell->dimension);
    if (trace.batch()[place.sequence].isPadding(vector->row))
        where << Words::tr("padding");
    where << placeWords(trace, place, core::infoOf(place.stage).perHead);
    content.place = where.join(QStringLiteral(" · "));

    if (vector->cell) {
        InspectorSection cell;
        explainOrigin(trace, place, *vector->cell, cell);
        content.sections << cell;
        const InspectorSection terms = termsSection(place, *vector->cell, tokens, style);
        if (!terms.series.empty())
            content.sections << terms;
        if (vector->cell->heads.size() > 1)
            content.sections << headsSection(*vector->cell);
    } else {
        content.sections.append(
            {{}, Words::tr("Click one of its numbers to see the terms that made it."), {}, {}});
    }
    content.sections << vectorSection(trace, *vector, place, style);
    if (place.stage == core::Stage::Embeddings && place.layer == 0)
        content.sections.first().words = embeddingRemark(trace, place, vector->row);
    return content;
}

} // namespace headlight::ui
