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
        if (!column)
            return {{Stage::Query, row, {}}};
        return {{Stage::Query, row, {}}, {Stage::Key, column, {}}};
    case Stage::ScaledScores:
        return {{Stage::Scores, row, column}};
    case Stage::MaskedScores:
        return {{Stage::ScaledScores, row, column}};
    case Stage::Weights:
        return {{Stage::MaskedScores, row, {}}};
    case Stage::Context:
        if (!column)
            return {{Stage::Weights, row, {}}};
        return {{Stage::Weights, row, {}}, {Stage::Value, {}, column}};
    case Stage::Concatenated: {
        if (!column)
            return {{Stage::Context, row, {}}};
        const core::Index size = trace.model().config.headSize;
        if (*column / size != selection.head)
            return {};
        return {{Stage::Context, row, *column % size}};
    }
    case Stage::Output:
        return {{Stage::Concatenated, row, {}}};
    }
    return {};
}

} // namespace headlight::ui
