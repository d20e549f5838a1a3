#include "core/analysis/vector_space.h"

#include "core/explain/sources.h"

#include <algorithm>
#include <cassert>

namespace headlight::core {

namespace {

void add(std::vector<SpaceVector> &vectors, Stage stage, const SharedMatrix &matrix) {
    for (Index token = 0; token < matrix.rows; ++token)
        vectors.push_back({stage, token, matrix.row(token), matrix.storage()});
}

/// Returns the attention's input before any norm; empty if the trace does not have it.
SharedMatrix inputMatrix(const Trace &trace, const SequenceHeadId &place) {
    const auto input = attentionInput(trace, place.attention());
    return input ? trace.matrix(input->stage, input->attention, place.sequence, 0) : SharedMatrix();
}

} // namespace

std::vector<SpaceVector> vectorsOf(const Trace &trace, VectorSpace space,
                                   const SequenceHeadId &place) {
    std::vector<SpaceVector> vectors;
    const auto stage = [&](Stage which) {
        add(vectors, which, trace.matrix(which, place.attention(), place.sequence, place.head));
    };
    switch (space) {
    case VectorSpace::Residual: {
        const SharedMatrix input = inputMatrix(trace, place);
        add(vectors, Stage::Positioned, input);
        const Stage last =
            trace.has(Stage::Output, place.attention()) ? Stage::Output : Stage::Concatenated;
        const SharedMatrix output = trace.matrix(last, place.attention(), place.sequence, 0);
        if (!input.empty() && output.columns == input.columns)
            add(vectors, last, output);
        break;
    }
    case VectorSpace::QueryKey:
        stage(Stage::Query);
        stage(Stage::Key);
        break;
    case VectorSpace::ValueContext:
        stage(Stage::Value);
        stage(Stage::Context);
        break;
    }
    return vectors;
}

std::vector<float> vectorAt(const Trace &trace, const SequenceHeadId &place, Stage stage,
                            Index token) {
    const SharedMatrix matrix =
        stage == Stage::Positioned
            ? inputMatrix(trace, place)
            : trace.matrix(stage, place.attention(), place.sequence, place.head);
    if (token >= matrix.rows)
        return {};
    return copied(matrix.row(token));
}

Matrix rowsOf(const std::vector<SpaceVector> &vectors) {
    if (vectors.empty())
        return {};
    Matrix rows(static_cast<Index>(vectors.size()),
                static_cast<Index>(vectors.front().numbers.size()));
    for (Index row = 0; row < rows.rows(); ++row) {
        const auto numbers = vectors[static_cast<std::size_t>(row)].numbers;
        assert(std::ssize(numbers) == rows.columns());
        std::copy_n(numbers.begin(), std::min(std::ssize(numbers), rows.columns()),
                    rows.view().row(row).begin());
    }
    return rows;
}

} // namespace headlight::core
