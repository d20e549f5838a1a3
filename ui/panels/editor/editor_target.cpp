#include "ui/panels/editor/editor_target.h"

#include "ui/document/edits/mechanism_edits.h"
#include "ui/figures/text/text.h"
#include "ui/text/attention_names.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

using core::Index;
using core::ParameterKind;
using core::Stage;

struct EditorTargetText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::EditorTarget)
};

MatrixId parameter(const core::Model &model, ParameterKind which,
                   const core::Selection &selection) {
    return {MatrixId::Kind::Parameter, parameterAt(model, which, selection.attention()),
            isOfHeads(which) ? std::optional(selection.head) : std::nullopt, 0};
}

/// Returns the parameter from which the stage is computed. Empty unless there is exactly one.
std::optional<ParameterKind> parameterFor(const core::Model &model,
                                          const core::Selection &selection) {
    const core::Config &config = model.config;
    const bool isPostNorm = config.normsAfter();
    switch (selection.stage) {
    case Stage::FirstFrame:
    case Stage::SecondFrame:
        return ParameterKind::FrameConvolution;
    case Stage::EmbeddingProjected:
        return ParameterKind::EmbeddingProjection;
    case Stage::Positioned:
        if (config.hasNorm() && config.norm.embedding)
            return ParameterKind::EmbeddingNormGain;
        return std::nullopt;
    case Stage::Norm:
        return ParameterKind::NormGain;
    case Stage::Query:
    case Stage::ProjectedQuery:
    case Stage::UnrotatedQuery:
    case Stage::RotatedQuery:
    case Stage::UntunedQuery:
        return ParameterKind::Query;
    case Stage::Key:
    case Stage::ProjectedKey:
    case Stage::UnrotatedKey:
    case Stage::RotatedKey:
        return ParameterKind::Key;
    case Stage::Value:
        return ParameterKind::Value;
    case Stage::CompressedQuery:
        return ParameterKind::QueryCompression;
    case Stage::NormedCompressedQuery:
        return ParameterKind::CompressedQueryNormGain;
    case Stage::CompressedKeyValue:
        return ParameterKind::KeyValueCompression;
    case Stage::NormedCompressedKeyValue:
        return ParameterKind::CompressedKeyValueNormGain;
    case Stage::UnrotatedSharedKey:
    case Stage::SharedKey:
        return ParameterKind::SharedKey;
    case Stage::OwnKey:
        return ParameterKind::Key;
    case Stage::DistanceEmbeddings:
        return ParameterKind::DistanceEmbeddings;
    case Stage::PositionKey:
        return config.disentangled.sharesMatrices ? ParameterKind::Key : ParameterKind::PositionKey;
    case Stage::PositionQuery:
        return config.disentangled.sharesMatrices ? ParameterKind::Query
                                                  : ParameterKind::PositionQuery;
    case Stage::PositionBias:
        if (config.positions == core::Positions::Relative)
            return ParameterKind::PositionBias;
        return std::nullopt;
    case Stage::SinkWeights:
        return ParameterKind::Sinks;
    case Stage::Concatenated:
    case Stage::HeadOutputs:
    case Stage::Output:
        return ParameterKind::Output;
    case Stage::Residual:
        return isPostNorm ? std::optional(ParameterKind::NormGain) : std::nullopt;
    case Stage::OutputNorm:
        return ParameterKind::OutputNormGain;
    case Stage::FeedForwardOutputNorm:
        return ParameterKind::FeedForwardOutputNormGain;
    case Stage::FeedForwardNorm:
        return ParameterKind::FeedForwardNormGain;
    case Stage::RouterLogits:
    case Stage::RouterProbabilities:
    case Stage::ExpertWeights:
    case Stage::ExpertInputs:
        return ParameterKind::Router;
    case Stage::RouterScores:
        return ParameterKind::RouterChoiceBias;
    case Stage::SharedGate:
        return ParameterKind::SharedGate;
    case Stage::SharedHidden:
        return ParameterKind::SharedHidden;
    case Stage::SharedActivated:
    case Stage::SharedOutput:
        return ParameterKind::SharedOutput;
    case Stage::Gate:
        return ParameterKind::Gate;
    case Stage::Hidden:
        return ParameterKind::Hidden;
    case Stage::Activated:
    case Stage::ExpertOutputs:
    case Stage::RoutedOutput:
    case Stage::FeedForwardOutput:
        return ParameterKind::FeedForwardOutput;
    case Stage::LayerOutput:
        return isPostNorm && config.feedForward.width > 0
                   ? std::optional(ParameterKind::FeedForwardNormGain)
                   : std::nullopt;
    case Stage::FinalNorm:
        return ParameterKind::FinalNormGain;
    case Stage::OutputLayerInput:
        return config.outputLayer.kind == core::OutputLayerKind::MaskedLanguage
                   ? std::optional(ParameterKind::PredictionTransform)
                   : std::nullopt;
    case Stage::UncappedLogits:
    case Stage::Logits:
    case Stage::Probabilities: // with tied embeddings: the embedding matrix
        return model.parameters.outputLayer.output ? ParameterKind::OutputMatrix
                                                   : ParameterKind::Embeddings;
    case Stage::Pooled:
        return model.parameters.outputLayer.pooler       ? ParameterKind::Pooler
               : model.parameters.outputLayer.projection ? ParameterKind::Projection
                                                         : ParameterKind::Classifier;
    case Stage::Projected:
        return ParameterKind::Projection;
    case Stage::DistillationPooled:
    case Stage::DistillationLogits:
        return ParameterKind::DistillationClassifier;
    case Stage::ClsLogits:
    case Stage::ClassLogits:
        return ParameterKind::Classifier;
    default:
        return std::nullopt;
    }
}

ScoresId scoresAt(const core::Selection &selection) {
    return {selection.sequence, selection.layer, selection.head, selection.block, selection.stack};
}

QStringList tokensOf(const core::Batch &batch, Index sequence) {
    QStringList tokens;
    for (const core::Token &token : batch[sequence].tokens)
        tokens << tokenText(token.text);
    return tokens;
}

QStringList counted(Index count) {
    QStringList labels;
    for (Index i = 0; i < count; ++i)
        labels << QString::number(i);
    return labels;
}

QStringList labelsOf(const DocumentState &state, const EditorTarget &target, bool rows,
                     Index count) {
    if (const auto *scores = std::get_if<ScoresId>(&target)) {
        const core::Batch &batch =
            rows ? state.input.queries(scores->attention()) : state.input.keys(scores->attention());
        return scores->sequence < batch.count() ? tokensOf(batch, scores->sequence)
                                                : counted(count);
    }
    const auto &matrix = std::get<MatrixId>(target);
    if (!numbersOf(state, matrix).exists())
        return counted(count);
    QStringList labels;
    for (Index i = 0; i < count; ++i)
        labels << (rows ? rowLabel(state, matrix, i) : columnLabel(state, matrix, i));
    return labels;
}

} // namespace

std::optional<EditorTarget> targetFor(const DocumentState &state,
                                      const core::Selection &selection) {
    switch (selection.stage) {
    case Stage::Embeddings:
    case Stage::EmbeddingSum:
        return MatrixId{
            MatrixId::Kind::Embeddings, {}, std::nullopt, selection.sequence, selection.stack};
    case Stage::Scores:
    case Stage::ScaledScores:
    case Stage::CappedScores:
        return scoresAt(selection);
    default:
        break;
    }
    if (const auto which = parameterFor(state.model, selection))
        return parameter(state.model, *which, selection);
    return std::nullopt;
}

std::vector<EditorTarget> targetsAt(const DocumentState &state, const core::Selection &selection) {
    std::vector<EditorTarget> targets;
    for (const MatrixId &id : matricesOf(state, selection))
        targets.emplace_back(id);
    if (state.model.hasAttention(selection.attention()))
        targets.emplace_back(scoresAt(selection));
    return targets;
}

EditorTarget movedTo(const DocumentState &state, EditorTarget target,
                     const core::Selection &selection) {
    auto *matrix = std::get_if<MatrixId>(&target);
    if (!matrix)
        return scoresAt(selection);
    if (matrix->kind == MatrixId::Kind::Embeddings) {
        matrix->sequence = selection.sequence;
        matrix->stack = selection.stack;
        return target;
    }
    matrix->parameter = parameterAt(state.model, matrix->parameter.which, selection.attention());
    if (matrix->head)
        matrix->head = selection.head;
    return target;
}

MatrixNumbers numbersOf(const DocumentState &state, const core::TracePointer &trace,
                        const EditorTarget &target) {
    if (const auto *matrix = std::get_if<MatrixId>(&target))
        return numbersOf(state, *matrix);
    const auto &scores = std::get<ScoresId>(target);
    if (!trace || scores.sequence >= trace->batch().count() ||
        scores.head >= trace->model().headsOf(scores.attention()))
        return {};
    const core::SharedMatrix matrix =
        trace->matrix(Stage::Scores, scores.attention(), scores.sequence, scores.head);
    if (matrix.empty())
        return {};
    return {matrix.storage(), core::ParameterBlock(core::makeParameter(matrix))};
}

bool isSetByHand(const DocumentState &state, const EditorTarget &target, Index row, Index column) {
    const auto *scores = std::get_if<ScoresId>(&target);
    return scores && state.input.interventions
                         .scoreAt(scores->sequence, scores->attention(), scores->head, row, column)
                         .has_value();
}

QString nameOf(const EditorTarget &target, const DocumentState &state) {
    if (const auto *matrix = std::get_if<MatrixId>(&target))
        return nameOf(*matrix, state);
    const auto &scores = std::get<ScoresId>(target);
    const QString name = EditorTargetText::tr("scores of head %1").arg(scores.head);
    const QString where = attentionName(state.model, scores.attention());
    return where.isEmpty() ? name : QStringLiteral("%1, %2").arg(name, where);
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
    std::vector<core::ScoreIntervention> changed;
    for (const edits::CellValue &cell : cells)
        changed.push_back({scores.sequence, scores.layer, scores.head, cell.row, cell.column,
                           cell.value, scores.block, scores.stack});
    return edits::setScores(state, changed);
}

core::Result<Change> setMatrix(const DocumentState &state, const EditorTarget &target,
                               const core::Matrix &matrix, const QString &words) {
    if (const auto *id = std::get_if<MatrixId>(&target))
        return edits::setMatrix(state, *id, matrix, words);
    std::vector<edits::CellValue> cells;
    for (Index row = 0; row < matrix.rows(); ++row)
        for (Index column = 0; column < matrix.columns(); ++column)
            cells.push_back({row, column, matrix(row, column)});
    const core::Result<Change> change = setCells(state, target, cells);
    if (!change)
        return change;
    return change->named({QStringLiteral("%1: %2").arg(nameOf(target, state), words), {}, {}});
}

TableIndex placeIn(const EditorTarget &target, const core::Selection &selection) {
    if (std::holds_alternative<ScoresId>(target))
        return {selection.query, selection.key};
    const auto &matrix = std::get<MatrixId>(target);
    if (matrix.kind == MatrixId::Kind::Embeddings)
        return {selection.query, selection.dimension};
    return {std::nullopt, selection.dimension};
}

} // namespace headlight::ui
