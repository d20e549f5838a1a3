#include "ui/document/edits/vector_edits.h"

#include "core/analysis/row_measures.h"
#include "core/analysis/smallest_change.h"
#include "ui/document/edits/matrix_edits.h"
#include "ui/document/edits/matrix_text.h"
#include "ui/text/core_message.h"
#include "ui/text/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headlight::ui::edits {

namespace {

using core::Error;
using core::Index;
using core::ParameterKind;
using core::Stage;

struct VectorEditText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::VectorEdits)
};

std::optional<ParameterKind> parameterOf(Stage stage) {
    switch (stage) {
    case Stage::Query:
        return ParameterKind::Query;
    case Stage::Key:
        return ParameterKind::Key;
    case Stage::Value:
        return ParameterKind::Value;
    default:
        return std::nullopt;
    }
}

/// Returns "(1.20, 0.40)", or only the length of a long vector.
QString shortText(const std::vector<float> &numbers) {
    constexpr std::size_t kShown = 3;
    QStringList shown;
    for (const float number : numbers)
        shown << numberText(static_cast<double>(number), 2);
    return numbers.size() <= kShown
               ? QStringLiteral("(%1)").arg(shown.join(QStringLiteral(", ")))
               : VectorEditText::tr("length %1").arg(numberText(core::normOf(numbers), 2));
}

core::Result<Change> moveWord(const DocumentState &state, const VectorId &id,
                              const std::vector<float> &from, const std::vector<float> &to) {
    const MatrixId matrix{
        MatrixId::Kind::Embeddings, {}, std::nullopt, id.place.sequence, id.place.stack};
    const core::Config config = state.model.configOf(id.place.stack);
    if (config.tokenWidth() != static_cast<Index>(to.size()) || config.projectsFirst ||
        (config.hasNorm() && config.norm.embedding))
        return Error{"the embedding is transformed before it enters the layer", "",
                     "edit the embedding's numbers instead"};
    const float scale =
        config.embeddingFactor *
        (config.scaleEmbeddings ? std::sqrt(static_cast<float>(config.width)) : 1.0f);
    // Reads only this word's vector, because a drag must be fast.
    const core::Sequence &read = batchOf(state.input, matrix)[id.place.sequence];
    std::vector<float> before = wordVector(state, matrix, id.token);
    if (hasOwnEmbeddings(state, matrix)) {
        before = core::ParameterBlock(read.embeddings).row(id.token);
    }
    std::vector<float> after = before;
    std::vector<CellValue> cells;
    for (std::size_t i = 0; i < to.size(); ++i)
        // Skips unchanged values, so that they keep all of their digits.
        if (to[i] != from[i]) {
            after[i] += (to[i] - from[i]) / scale;
            cells.push_back({id.token, static_cast<Index>(i), after[i]});
        }
    if (cells.empty())
        cells.push_back({id.token, 0, before[0]});
    const core::Result<Change> change = setCells(state, matrix, cells);
    if (!change)
        return change;
    const QString what =
        hasOwnEmbeddings(state, matrix)
            ? VectorEditText::tr("embedding of token %1 (%2)")
                  .arg(QString::number(id.token), rowLabel(state, matrix, id.token))
            : VectorEditText::tr("embedding of “%1”").arg(rowLabel(state, matrix, id.token));
    return change->named({what, shortText(before), shortText(after)});
}

core::Result<Change> moveByWeights(const DocumentState &state, const core::Trace &trace,
                                   const VectorId &id, const std::vector<float> &from,
                                   const std::vector<float> &to) {
    const core::SequenceHeadId &place = id.place;
    const MatrixId matrix{MatrixId::Kind::Parameter,
                          parameterAt(state.model, *parameterOf(id.stage), place.attention()),
                          place.head, place.sequence};
    if (trace.has(Stage::ProjectedQuery, place.attention()) && id.stage != Stage::Value)
        return Error{"a norm changes queries and keys after their matrix", "",
                     "drag a value, or edit the matrix"};
    if (trace.has(Stage::UnrotatedQuery, place.attention()) && id.stage != Stage::Value)
        return Error{"the positions rotate queries and keys after their matrix", "",
                     "drag a value, or edit the matrix"};
    if (trace.has(Stage::UntunedQuery, place.attention()) && id.stage == Stage::Query)
        return Error{"a factor multiplies queries after their matrix", "",
                     "drag a value, or edit the matrix"};
    if (state.model.config.latent.isOn() && id.stage == Stage::Key)
        return Error{"a part of the key is shared by the heads and has a matrix of its own", "",
                     "drag a value or a query, or edit the matrices"};
    const MatrixNumbers numbers = numbersOf(state, matrix);
    const auto step = trace.plan().find({id.stage, place.attention()});
    const core::SharedMatrix input =
        step && !trace.plan()[*step].reads.empty()
            ? trace.made(trace.plan()[*step].reads[0]).matrix(place.sequence)
            : core::SharedMatrix();
    if (!numbers.exists() || id.token >= input.rows)
        return Error{"the model has no such matrix", nameOf(matrix, state).toStdString(), ""};
    std::vector<double> delta(to.size());
    for (std::size_t i = 0; i < to.size(); ++i)
        delta[i] = static_cast<double>(to[i]) - static_cast<double>(from[i]);
    const core::Result<core::SharedMatrix> weights = numbers.view.read();
    if (!weights)
        return weights.error();
    if (input.columns != weights->rows || std::ssize(delta) != weights->columns)
        return Error{"the vector is not the product of this matrix alone", "",
                     "edit the matrix instead"};
    const core::Result<core::Matrix> changed =
        core::smallestChange(*weights, input.row(id.token), delta);
    if (!changed)
        return changed.error();
    Edit edit{state, {}};
    const HeadPart part = headPart(state, matrix);
    core::Parameter &parameter = core::parameterOf(edit.state.model.parameters, matrix.parameter);
    parameter = withBlock(parameter, part.row, part.column, changed->view());
    const core::Batch &batch = id.stage == Stage::Query ? state.input.queries(place.attention())
                                                        : state.input.keys(place.attention());
    const QString word = QString::fromStdString(batch[place.sequence][id.token].text);
    const QString what =
        id.stage == Stage::Query ? VectorEditText::tr("the query of “%1”").arg(word)
        : id.stage == Stage::Key ? VectorEditText::tr("the key of “%1”").arg(word)
                                 : VectorEditText::tr("the value of “%1”").arg(word);
    edit.words = {
        VectorEditText::tr("smallest change of %1 for %2").arg(nameOf(matrix, state), what),
        shortText(from), shortText(to)};
    return checked(std::move(edit));
}

} // namespace

QString unmovableReason(const VectorId &id) {
    if (id.stage == Stage::Context)
        return VectorEditText::tr("a context is computed as the weighted sum of the values. Drag a "
                                  "value, a query or a key instead");
    if (id.stage == Stage::Positioned && id.place.block == core::Block::CrossAttention)
        return VectorEditText::tr("the input of the cross-attention is computed by the layer. Drag "
                                  "a word in layer 0 of the self-attention instead");
    if (id.stage == Stage::Positioned && id.place.layer > 0)
        return VectorEditText::tr("the input of layer %1 is computed by the layer before it. Drag "
                                  "a word in layer 0 instead")
            .arg(id.place.layer);
    if (id.stage != Stage::Positioned && !parameterOf(id.stage))
        return VectorEditText::tr(
            "an output is computed. Drag a word's input, or a query, key or value instead");
    return {};
}

core::Result<Change> moveVector(const DocumentState &state, const core::Trace &trace,
                                const VectorId &id, const std::vector<float> &to) {
    if (const QString why = unmovableReason(id); !why.isEmpty())
        return Error{messageOf(why), "", ""};
    const std::vector<float> from = core::vectorAt(trace, id.place, id.stage, id.token);
    if (from.empty() || from.size() != to.size())
        return Error{"there is no such vector", "", ""};
    if (!std::all_of(to.begin(), to.end(), [](float number) { return std::isfinite(number); }))
        return Error{"a value of the vector is not finite", "",
                     "drag the vector a shorter distance"};
    return id.stage == Stage::Positioned ? moveWord(state, id, from, to)
                                         : moveByWeights(state, trace, id, from, to);
}

} // namespace headlight::ui::edits
