#include "ui/document/edits/matrix_id.h"

#include "core/transformer/model/parameter_table.h"
#include "ui/document/edits/matrix_text.h"
#include "ui/text/word_id.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

namespace {

using core::Index;
using core::ParameterKind;

struct MatrixIdText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::MatrixName)
};

bool isOfSource(const MatrixId &id) {
    return id.stack == core::Stack::Encoder || id.stack == core::Stack::SourceEmbeddings;
}

bool isIn(const DocumentState &state, const MatrixId &id) {
    if (id.kind == MatrixId::Kind::Embeddings)
        return (!isOfSource(id) || state.input.source) && id.sequence >= 0 &&
               id.sequence < state.input.batch->count();
    return hasPlaceFor(state.model.parameters, id.parameter) &&
           (!id.head || (*id.head >= 0 && *id.head < state.model.headsOf(id.parameter.stack)));
}

core::Parameter embeddingsOf(const DocumentState &state, const MatrixId &id) {
    const core::Sequence &read = batchOf(state.input, id)[id.sequence];
    if (read.embeddings)
        return read.embeddings;
    core::Matrix vectors(static_cast<Index>(read.tokens.size()),
                         state.model.configOf(id.stack).tokenWidth());
    for (Index token = 0; token < vectors.rows(); ++token) {
        const std::vector<float> vector = wordVector(state, id, token);
        std::copy(vector.begin(), vector.end(), vectors.view().row(token).begin());
    }
    return core::makeParameter(std::move(vectors));
}

const core::Vocabulary *wordsOfRows(const DocumentState &state, const MatrixId &id) {
    if (id.parameter.which != ParameterKind::Embeddings)
        return nullptr;
    return state.model.vocabularyOf(id.parameter.stack == core::Stack::Encoder
                                        ? core::Stack::Encoder
                                        : state.model.mainStack());
}

bool isOverWords(ParameterKind which) {
    return which == ParameterKind::OutputMatrix || which == ParameterKind::OutputMatrixBias;
}

} // namespace

const core::Batch &batchOf(const core::Input &input, const MatrixId &id) {
    return isOfSource(id) ? *input.source : *input.batch;
}

std::optional<Index> wordOf(const DocumentState &state, const MatrixId &id, Index token) {
    const core::Vocabulary *words = state.model.vocabularyOf(id.stack);
    if (!words || !state.model.embeddingMatrix(id.stack))
        return std::nullopt;
    return words->idOf(batchOf(state.input, id)[id.sequence][token]);
}

std::vector<float> wordVector(const DocumentState &state, const MatrixId &id, Index token) {
    const core::Sequence &read = batchOf(state.input, id)[id.sequence];
    if (const auto word = wordOf(state, id, token))
        return core::ParameterBlock(state.model.embeddingMatrix(id.stack)).row(*word);
    if (!state.model.embeddings)
        return std::vector<float>(
            static_cast<std::size_t>(state.model.configOf(id.stack).tokenWidth()));
    return state.model.embeddings->vectorOf(read[token].text);
}

bool isGain(ParameterKind which) {
    return core::infoOf(which).form == core::ParameterForm::NormGain;
}

bool isOfHeads(ParameterKind which) {
    return core::infoOf(which).blocks != core::HeadBlocks::None;
}

HeadPart headPart(const DocumentState &state, const MatrixId &id) {
    const core::Parameter &whole = parameterOf(state.model.parameters, id.parameter);
    const core::Config config = state.model.configOf(id.parameter.stack);
    const auto columns = [&whole](Index one, Index count) -> HeadPart {
        const Index size = whole->columns() / count;
        return {0, one * size, whole->rows(), size};
    };
    switch (id.head ? core::infoOf(id.parameter.which).blocks : core::HeadBlocks::None) {
    case core::HeadBlocks::Columns:
        return columns(*id.head, config.heads);
    case core::HeadBlocks::GroupColumns:
        return columns(config.groupOf(*id.head), config.groups());
    case core::HeadBlocks::Rows: {
        const Index size = whole->rows() / config.heads;
        return {*id.head * size, 0, size, whole->columns()};
    }
    case core::HeadBlocks::None:
        break;
    }
    return {0, 0, whole->rows(), whole->columns()};
}

MatrixNumbers numbersOf(const DocumentState &state, const MatrixId &id) {
    if (!state.input.batch || !isIn(state, id))
        return {};
    if (id.kind == MatrixId::Kind::Embeddings) {
        const core::Parameter vectors = embeddingsOf(state, id);
        return {vectors, core::ParameterBlock(vectors)};
    }
    const core::Parameter &whole = parameterOf(state.model.parameters, id.parameter);
    if (!whole)
        return {};
    const HeadPart part = headPart(state, id);
    return {whole, core::ParameterBlock(whole, {part.row, part.column, part.rows, part.columns})};
}

bool hasOwnEmbeddings(const DocumentState &state, const MatrixId &id) {
    return isIn(state, id) && batchOf(state.input, id)[id.sequence].embeddings != nullptr;
}

QString symbolOf(const MatrixId &id) {
    return id.kind == MatrixId::Kind::Embeddings ? MatrixIdText::tr("embeddings")
                                                 : symbolOf(id.parameter.which);
}

QString rowLabel(const DocumentState &state, const MatrixId &id, Index row) {
    if (id.kind == MatrixId::Kind::Embeddings) {
        const core::Token &token = batchOf(state.input, id)[id.sequence][row];
        return withId(QString::fromStdString(token.text), state.model, id.stack, token);
    }
    if (const core::Vocabulary *words = wordsOfRows(state, id))
        return withId(QString::fromStdString(words->word(row)), *words, row);
    return QString::number(row);
}

QString columnLabel(const DocumentState &state, const MatrixId &id, Index column) {
    if (id.kind == MatrixId::Kind::Parameter && isOverWords(id.parameter.which) &&
        state.model.vocabulary && column < state.model.vocabulary->size())
        return withId(QString::fromStdString(state.model.vocabulary->word(column)),
                      *state.model.vocabulary, column);
    return QString::number(column);
}

std::vector<MatrixId> matricesOf(const DocumentState &state, const core::Selection &selection) {
    const core::Model &model = state.model;
    std::vector<MatrixId> all;
    all.push_back(
        {MatrixId::Kind::Embeddings, {}, std::nullopt, selection.sequence, selection.stack});
    const bool encoder = selection.stack == core::Stack::Encoder;
    const bool hasLayers = model.layerCount(selection.stack) > 0;
    const Index layer = hasLayers ? model.weightsLayer(selection.stack, selection.layer) : 0;
    std::vector<MatrixId> wholes;
    for (const core::ParameterId &id : core::allParameters(model.parameters)) {
        const bool inLayer = core::isOfLayer(id.which);
        const bool here = core::partOf(id.which) == core::ParameterPart::OutputLayer
                              ? !encoder
                              : (id.stack == core::Stack::Encoder) == encoder;
        if (!here || (inLayer && (id.layer != layer || !hasLayers)) || !isPartOf(model, id))
            continue;
        const bool byHeads = isOfHeads(id.which);
        all.push_back({MatrixId::Kind::Parameter, id,
                       byHeads ? std::optional(selection.head) : std::nullopt, 0});
        if (byHeads)
            wholes.push_back({MatrixId::Kind::Parameter, id, std::nullopt, 0});
    }
    all.insert(all.end(), wholes.begin(), wholes.end());
    return all;
}

} // namespace headlight::ui
