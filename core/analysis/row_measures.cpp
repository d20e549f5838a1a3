#include "core/analysis/row_measures.h"

#include "core/analysis/attention_row_properties.h"
#include "core/selection/selected.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight::core {

double RowMeasures::entropyBits() const {
    return entropy / std::numbers::ln2;
}

std::optional<RowMeasures> measuresOf(const Trace &trace, const Selection &selection) {
    const SharedMatrix matrix = matrixAt(trace, selection);
    if (!infoOf(selection.stage).overKeys() || !selection.query || *selection.query < 0 ||
        *selection.query >= matrix.rows)
        return std::nullopt;
    const SharedMatrix weights = trace.matrix(Stage::AttentionWeights, selection.attention(),
                                              selection.sequence, selection.head);
    if (weights.empty())
        return std::nullopt;
    const Index query = *selection.query;
    const Mask &mask = trace.mask(selection.sequence, selection.attention());
    const auto row = matrix.row(query);
    RowMeasures found;
    found.visible = mask.visibleKeys(query);
    found.seesNothing =
        seesNothing(trace, selection.sequence, selection.attention(), selection.head, query);
    // Stages before the mask have a value for every pair, including hidden ones.
    const bool isBeforeMask =
        selection.stage != Stage::MaskedScores && selection.stage != Stage::AttentionWeights;
    if (!found.seesNothing || isBeforeMask) {
        const auto largest = std::ranges::max_element(row);
        found.largestAt = largest - row.begin();
        found.largest = *largest;
    }
    for (const float weight : weights.row(query))
        found.weightSum += static_cast<double>(weight);
    found.entropy = entropyOf(weights.row(query));
    return found;
}

RowSums rowSumsOf(MatrixView matrix) {
    RowSums found;
    for (Index row = 0; row < matrix.rows; ++row) {
        double sum = 0;
        for (const float number : matrix.row(row))
            sum += static_cast<double>(number);
        if (sum == 0)
            ++found.zeros;
        else if (!(std::abs(sum - 1) < 0.01)) // negated so that NaN fails
            found.othersAreOne = false;
    }
    return found;
}

double entropyOf(std::span<const float> weights) {
    double entropy = 0;
    for (const float weight : weights)
        if (weight > 0)
            entropy -= static_cast<double>(weight) * std::log(static_cast<double>(weight));
    return entropy;
}

double normOf(std::span<const float> vector) {
    return Eigen::Map<const Eigen::VectorXf>(vector.data(), std::ssize(vector))
        .cast<double>()
        .norm();
}

} // namespace headlight::core
