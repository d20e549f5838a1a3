#include "core/analysis/vector_space.h"

#include <algorithm>

namespace headlight::core {

namespace {

void add(std::vector<SpaceVector> &vectors, Stage stage, const Tensor &tensor,
         const HeadPlace &place) {
    if (tensor.isNull())
        return;
    const MatrixView matrix = tensor.matrix(place.sequence, place.head);
    for (Index token = 0; token < matrix.rows; ++token)
        vectors.push_back({stage, token, matrix.row(token)});
}

} // namespace

std::vector<SpaceVector> vectorsOf(const Trace &trace, VectorSpace space, const HeadPlace &place) {
    std::vector<SpaceVector> vectors;
    const auto stage = [&](Stage which) {
        add(vectors, which, trace.stage(which, place.site()), place);
    };
    switch (space) {
    case VectorSpace::Residual: {
        const HeadPlace whole{place.sequence, place.layer, 0, place.block, place.stack};
        const Tensor input = trace.stage(Stage::LayerInput, place.site());
        add(vectors, Stage::Positioned, input, whole);
        const bool projected = trace.has(Stage::Output, place.site());
        const Stage last = projected ? Stage::Output : Stage::Concatenated;
        const Tensor output = trace.stage(last, place.site());
        if (!input.isNull() && !output.isNull() &&
            output.matrix(0).columns == input.matrix(0).columns)
            add(vectors, last, output, whole);
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

std::span<const float> vectorAt(const Trace &trace, const HeadPlace &place, Stage stage,
                                Index token) {
    const Tensor tensor = stage == Stage::Positioned ? trace.stage(Stage::LayerInput, place.site())
                                                     : trace.stage(stage, place.site());
    if (tensor.isNull() || token >= trace.batch().length())
        return {};
    return tensor.matrix(place.sequence, infoOf(stage).perHead ? place.head : 0).row(token);
}

Matrix rowsOf(const std::vector<SpaceVector> &vectors) {
    if (vectors.empty())
        return {};
    Matrix rows(static_cast<Index>(vectors.size()),
                static_cast<Index>(vectors.front().numbers.size()));
    for (Index row = 0; row < rows.rows(); ++row) {
        const auto numbers = vectors[static_cast<std::size_t>(row)].numbers;
        std::copy(numbers.begin(), numbers.end(), rows.view().row(row).begin());
    }
    return rows;
}

} // namespace headlight::core
