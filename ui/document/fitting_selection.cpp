#include "ui/document/fitting_selection.h"

#include "core/analysis/nearest_stage.h"
#include "core/transformer/plan/model_stages.h"

#include <algorithm>

namespace headlight::ui {

namespace {

using core::Block;
using core::Index;
using core::Model;
using core::Part;
using core::Selection;
using core::Stack;

void dropIfOutside(std::optional<Index> &index, Index count) {
    if (index && (*index < 0 || *index >= count))
        index.reset();
}

/// Returns the number of relative-distance vectors.
Index distancesOf(const Model &model) {
    if (!model.captured)
        return model.config.disentangled.table.rows();
    Index count = 0; // a capture has no table, so look at its stages
    for (const core::Step &step : model.captured->steps()) {
        const core::StageInfo &info = core::infoOf(step.at.stage);
        if (info.rowsAreDistances() || info.overDistances())
            count = std::max(count, step.shape.last(info.overDistances() ? 0u : 1u));
    }
    return count;
}

/// Returns the column count of the widest stage of this kind (dimensions, classes or words), so
/// that a dimension stays selected across stages.
Index widestOf(const Model &model, core::Stage stage) {
    if (model.captured)
        return core::widestOf(*model.captured);
    const core::Config &config = model.config;
    if (core::infoOf(stage).columns == core::Columns::Classes)
        return config.outputLayer.classes;
    if (core::infoOf(stage).columns == core::Columns::Words)
        if (const core::Parameter &matrix = model.parameters.main.embeddings)
            return matrix->rows();
    if (const core::Parameter &output = model.parameters.outputLayer.output;
        output && core::infoOf(stage).columns == core::Columns::Words)
        return output->columns();
    return std::max({config.width, config.queryWidth(), config.concatenatedWidth(),
                     config.widestEmbedding(), config.widestFeedForward()});
}

void fitStack(Selection &selection, const Model &model) {
    const Part part = core::infoOf(selection.stage).part;
    if (!model.hasStack(selection.stack)) {
        const bool read =
            selection.stack == Stack::Encoder || selection.stack == Stack::SourceEmbeddings;
        selection.stack =
            read && model.hasStack(model.sourceStack()) ? model.sourceStack() : model.mainStack();
    }
    // The second sequence of a model without an encoder has embeddings only. An encoder has no
    // predictions.
    if ((selection.stack == Stack::SourceEmbeddings && part != Part::Embedding) ||
        part == Part::OutputLayer)
        selection.stack = model.mainStack();
    selection.layer = std::clamp<Index>(selection.layer, 0,
                                        std::max<Index>(1, model.layerCount(selection.stack)) - 1);
}

void fitBlock(Selection &selection, const Model &model) {
    if (model.hasAttention(selection.attention()))
        return;
    core::AttentionId other = selection.attention();
    other.block =
        selection.block == Block::SelfAttention ? Block::CrossAttention : Block::SelfAttention;
    if (model.hasAttention(other) || selection.stack == Stack::SourceEmbeddings)
        selection.block =
            selection.stack == Stack::SourceEmbeddings ? Block::SelfAttention : other.block;
}

} // namespace

Selection fittingSelection(Selection selection, const Model &model, const core::Input &input) {
    const core::Batch &batch = *input.batch;
    selection.sequence = std::clamp<Index>(selection.sequence, 0, batch.count() - 1);
    fitStack(selection, model);
    fitBlock(selection, model);
    selection.head = std::clamp<Index>(selection.head, 0, model.headsOf(selection.attention()) - 1);
    selection.stage = core::nearestStage(model, selection.stage, selection.attention());
    dropIfOutside(selection.query, input.queries(selection.attention()).length());
    dropIfOutside(selection.key, input.keys(selection.attention()).length());
    dropIfOutside(selection.dimension, widestOf(model, selection.stage));
    dropIfOutside(selection.distance, distancesOf(model));
    return selection;
}

} // namespace headlight::ui
