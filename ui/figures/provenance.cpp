#include "ui/figures/provenance.h"

#include "ui/figures/cell_place.h"

namespace headlight::ui {

using core::Stage;

Stage inputStage(const core::Trace &trace, core::Index layer) {
    return layer == 0 && trace.has(Stage::EmbeddingSum) ? Stage::EmbeddingSum : Stage::Embeddings;
}

std::vector<SourcePlace> sourcesOf(const core::Trace &trace, const core::Selection &selection) {
    const auto row = rowOf(selection);
    const auto column = columnOf(selection);
    if (!row)
        return {};
    const core::Config &config = trace.model().config;
    const core::Interventions &done = trace.input().interventions;
    const core::HeadState state = done.stateOf(selection.site(), selection.head);
    switch (selection.stage) {
    case Stage::Embeddings:
    case Stage::Positioned:
        return {};
    case Stage::EmbeddingSum:
        return {{Stage::Embeddings, row, column}};
    case Stage::Query:
    case Stage::Key:
    case Stage::Value:
        return {{inputStage(trace, selection.layer), row, {}}};
    case Stage::Scores:
        if (column &&
            done.scoreAt(selection.sequence, selection.layer, selection.head, *row, *column))
            return {}; // set by hand
        if (!column)
            return {{Stage::Query, row, {}}};
        return {{Stage::Query, row, {}}, {Stage::Key, column, {}}};
    case Stage::ScaledScores:
        return {{Stage::Scores, row, column}};
    case Stage::MaskedScores:
        return {{Stage::ScaledScores, row, column}};
    case Stage::UnmaskedWeights:
        return {{Stage::ScaledScores, row, config.softmax ? std::nullopt : column}};
    case Stage::Weights:
        if (state == core::HeadState::Uniform)
            return {}; // made from the mask alone
        if (config.masking.afterSoftmax)
            return {{Stage::UnmaskedWeights, row, column}};
        return {{Stage::MaskedScores, row, config.softmax ? std::nullopt : column}};
    case Stage::Context:
        if (state == core::HeadState::Zero)
            return {};
        if (state == core::HeadState::Mean)
            return {{Stage::Value, {}, column}};
        if (!column)
            return {{Stage::Weights, row, {}}};
        return {{Stage::Weights, row, {}}, {Stage::Value, {}, column}};
    case Stage::Concatenated: {
        if (!column)
            return {{Stage::Context, row, {}}};
        const core::Index size = config.headSize;
        if (size <= 0 || *column / size != selection.head)
            return {};
        return {{Stage::Context, row, *column % size}};
    }
    case Stage::Output:
        return {{Stage::Concatenated, row, {}}};
    default:
        break;
    }
    return {};
}

} // namespace headlight::ui
