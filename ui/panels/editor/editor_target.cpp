#include "ui/panels/editor/editor_target.h"

#include "ui/document/edits/mechanism_edits.h"
#include "ui/figures/text.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

using core::Index;
using core::ParameterKind;
using core::Stage;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::EditorTarget)
};

MatrixId parameter(ParameterKind which, const core::Selection &selection) {
    return {MatrixId::Kind::Parameter, {selection.layer, which}, selection.head, 0};
}

QStringList tokensOf(const DocumentState &state, Index sequence) {
    QStringList tokens;
    for (const std::string &token : (*state.input.batch)[sequence].tokens)
        tokens << tokenText(token);
    return tokens;
}

QStringList counted(Index count) {
    QStringList labels;
    for (Index i = 0; i < count; ++i)
        labels << QString::number(i);
    return labels;
}

std::optional<Index> tokensIn(const EditorTarget &target, bool rows) {
    if (const auto *scores = std::get_if<ScoresId>(&target))
        return scores->sequence;
    const auto &matrix = std::get<MatrixId>(target);
    return rows && matrix.kind == MatrixId::Kind::Embeddings ? std::optional(matrix.sequence)
                                                             : std::nullopt;
}

QStringList labelsOf(const DocumentState &state, const EditorTarget &target, bool rows,
                     Index count) {
    const std::optional<Index> sequence = tokensIn(target, rows);
    return sequence && *sequence < state.input.batch->count() ? tokensOf(state, *sequence)
                                                              : counted(count);
}

} // namespace

std::optional<EditorTarget> targetFor(const core::Selection &selection) {
    switch (selection.stage) {
    case Stage::Embeddings:
    case Stage::EmbeddingSum:
        return MatrixId{MatrixId::Kind::Embeddings, {}, std::nullopt, selection.sequence};
    case Stage::Query:
        return parameter(ParameterKind::Query, selection);
    case Stage::Key:
        return parameter(ParameterKind::Key, selection);
    case Stage::Value:
        return parameter(ParameterKind::Value, selection);
    case Stage::Concatenated:
    case Stage::Output:
        return parameter(ParameterKind::Output, selection);
    case Stage::Scores:
    case Stage::ScaledScores:
        return ScoresId{selection.sequence, selection.layer, selection.head};
    case Stage::Positioned:
    case Stage::MaskedScores:
    case Stage::UnmaskedWeights:
    case Stage::Weights:
    case Stage::Context:
        break;
    default:
        break;
    }
    return std::nullopt;
}

std::vector<EditorTarget> targetsAt(const DocumentState &state, const core::Selection &selection) {
    std::vector<EditorTarget> targets;
    for (const MatrixId &id :
         matricesOf(state, selection.layer, selection.head, selection.sequence))
        targets.emplace_back(id);
    targets.emplace_back(ScoresId{selection.sequence, selection.layer, selection.head});
    return targets;
}

EditorTarget movedTo(EditorTarget target, const core::Selection &selection) {
    if (auto *matrix = std::get_if<MatrixId>(&target)) {
        if (matrix->kind == MatrixId::Kind::Embeddings)
            matrix->sequence = selection.sequence;
        else
            matrix->parameter.layer = selection.layer;
        if (matrix->head)
            matrix->head = selection.head;
        return target;
    }
    return ScoresId{selection.sequence, selection.layer, selection.head};
}

MatrixNumbers numbersOf(const Document &document, const EditorTarget &target) {
    if (const auto *matrix = std::get_if<MatrixId>(&target))
        return numbersOf(document.state(), *matrix);
    const auto &scores = std::get<ScoresId>(target);
    const core::TracePointer &trace = document.trace();
    if (!trace || scores.sequence >= trace->batch().count() ||
        scores.head >= trace->model().config.heads)
        return {};
    const core::Tensor tensor = trace->stage(Stage::Scores, scores.layer);
    if (tensor.isNull())
        return {};
    return {tensor.storage(), tensor.matrix(scores.sequence, scores.head)};
}

bool isSetByHand(const DocumentState &state, const EditorTarget &target, Index row, Index column) {
    const auto *scores = std::get_if<ScoresId>(&target);
    return scores && state.input.interventions
                         .scoreAt(scores->sequence, scores->layer, scores->head, row, column)
                         .has_value();
}

QString nameOf(const EditorTarget &target, const DocumentState &state) {
    if (const auto *matrix = std::get_if<MatrixId>(&target))
        return nameOf(*matrix, state);
    return Words::tr("scores of head %1").arg(std::get<ScoresId>(target).head);
}

QStringList rowLabelsOf(const DocumentState &state, const EditorTarget &target, Index rows) {
    return labelsOf(state, target, true, rows);
}

QStringList columnLabelsOf(const DocumentState &state, const EditorTarget &target, Index columns) {
    return labelsOf(state, target, false, columns);
}

core::Result<Change> setCells(const DocumentState &state, const EditorTarget &target,
                              const std::vector<edits::CellValue> &cells) {
    if (const auto *matrix = std::get_if<MatrixId>(&target))
        return edits::setCells(state, *matrix, cells);
    const auto &scores = std::get<ScoresId>(target);
    std::vector<core::ScoreIntervention> said;
    for (const edits::CellValue &cell : cells)
        said.push_back(
            {scores.sequence, scores.layer, scores.head, cell.row, cell.column, cell.value});
    return edits::setScores(state, said);
}

core::Result<Change> setMatrix(const DocumentState &state, const EditorTarget &target,
                               const core::Matrix &matrix, const QString &words) {
    if (const auto *id = std::get_if<MatrixId>(&target))
        return edits::setMatrix(state, *id, matrix, words);
    std::vector<edits::CellValue> cells;
    for (Index row = 0; row < matrix.rows(); ++row)
        for (Index column = 0; column < matrix.columns(); ++column)
            cells.push_back({row, column, matrix(row, column)});
    core::Result<Change> change = setCells(state, target, cells);
    if (change)
        (*change).words = {QStringLiteral("%1: %2").arg(nameOf(target, state), words), {}, {}};
    return change;
}

TablePlace placeIn(const EditorTarget &target, const core::Selection &selection) {
    if (std::holds_alternative<ScoresId>(target))
        return {selection.query, selection.key};
    const auto &matrix = std::get<MatrixId>(target);
    if (matrix.kind == MatrixId::Kind::Embeddings)
        return {selection.query, selection.dimension};
    return {std::nullopt, selection.dimension};
}

} // namespace headlight::ui
