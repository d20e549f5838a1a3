#include "ui/document/edits/matrix_id.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

using core::Index;
using core::ParameterKind;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::MatrixName)
};

/// W_O belongs to a head by its rows; its bias to no head.
bool isByRows(ParameterKind which) {
    return which == ParameterKind::Output;
}

bool isIn(const DocumentState &state, const MatrixId &id) {
    if (id.kind == MatrixId::Kind::Embeddings)
        return id.sequence >= 0 && id.sequence < state.input.batch->count();
    return id.parameter.layer >= 0 &&
           id.parameter.layer < static_cast<Index>(state.model.weights.main.layers.size()) &&
           (!id.head || (*id.head >= 0 && *id.head < state.model.config.heads));
}

std::shared_ptr<const core::Matrix> embeddingsOf(const DocumentState &state, Index sequence) {
    const core::Sequence &read = (*state.input.batch)[sequence];
    if (read.embeddings)
        return read.embeddings;
    core::Matrix vectors(static_cast<Index>(read.tokens.size()), state.model.config.width);
    for (Index token = 0; token < vectors.rows(); ++token) {
        const std::vector<float> vector =
            state.model.embeddings->vectorOf(read.tokens[static_cast<std::size_t>(token)]);
        std::copy(vector.begin(), vector.end(), vectors.view().row(token).begin());
    }
    return core::makeParameter(std::move(vectors));
}

} // namespace

bool isBias(ParameterKind which) {
    return which >= ParameterKind::QueryBias;
}

HeadPart headPart(const DocumentState &state, const MatrixId &id) {
    const core::Parameter &whole = parameterOf(state.model.weights, id.parameter);
    if (!id.head || id.parameter.which == ParameterKind::OutputBias)
        return {0, 0, whole->rows(), whole->columns()};
    const Index size = state.model.config.headSize;
    if (isByRows(id.parameter.which))
        return {*id.head * size, 0, size, whole->columns()};
    return {0, *id.head * size, whole->rows(), size};
}

MatrixNumbers numbersOf(const DocumentState &state, const MatrixId &id) {
    if (!state.input.batch || !isIn(state, id))
        return {};
    if (id.kind == MatrixId::Kind::Embeddings) {
        const auto vectors = embeddingsOf(state, id.sequence);
        return {vectors, vectors->view()};
    }
    const core::Parameter &whole = parameterOf(state.model.weights, id.parameter);
    if (!whole)
        return {};
    const HeadPart part = headPart(state, id);
    core::MatrixView view = whole->view();
    view.data += part.row * view.stride + part.column;
    view.rows = part.rows;
    view.columns = part.columns;
    return {whole, view};
}

bool hasOwnEmbeddings(const DocumentState &state, const MatrixId &id) {
    return isIn(state, id) && (*state.input.batch)[id.sequence].embeddings != nullptr;
}

QString symbolOf(const MatrixId &id) {
    if (id.kind == MatrixId::Kind::Embeddings)
        return Words::tr("embeddings");
    static constexpr const char *symbols[] = {"W_Q", "W_K", "W_V", "W_O",
                                              "b_Q", "b_K", "b_V", "b_O"};
    return QString::fromLatin1(symbols[static_cast<std::size_t>(id.parameter.which)]);
}

QString nameOf(const MatrixId &id, const DocumentState &state) {
    if (id.kind == MatrixId::Kind::Embeddings)
        return state.input.batch->count() > 1
                   ? Words::tr("embeddings of sequence %1").arg(id.sequence)
                   : symbolOf(id);
    QString name = symbolOf(id);
    if (id.head && id.parameter.which != ParameterKind::OutputBias)
        name = Words::tr("%1 head %2").arg(name).arg(*id.head);
    if (state.model.weights.main.layers.size() > 1)
        name = Words::tr("%1, layer %2").arg(name).arg(id.parameter.layer);
    return name;
}

QString rowLabel(const DocumentState &state, const MatrixId &id, Index row) {
    if (id.kind == MatrixId::Kind::Parameter)
        return QString::number(row);
    const core::Sequence &read = (*state.input.batch)[id.sequence];
    return QString::fromStdString(read.tokens[static_cast<std::size_t>(row)]);
}

std::vector<MatrixId> matricesOf(const DocumentState &, Index layer, Index head, Index sequence) {
    std::vector<MatrixId> all{{MatrixId::Kind::Embeddings, {}, std::nullopt, sequence}};
    for (const ParameterKind which : core::kAttentionParameters) {
        const bool whole = which == ParameterKind::OutputBias;
        all.push_back({MatrixId::Kind::Parameter,
                       {layer, which},
                       whole ? std::nullopt : std::optional(head),
                       0});
    }
    for (const ParameterKind which : core::kAttentionParameters)
        if (which != ParameterKind::OutputBias)
            all.push_back({MatrixId::Kind::Parameter, {layer, which}, std::nullopt, 0});
    return all;
}

} // namespace headlight::ui
