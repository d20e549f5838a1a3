// How a normalised number came to be.
#include "core/analysis/origin_parts.h"

#include <cmath>

namespace headlight::core::origin {

namespace {

/// The mean of the numbers, and the mean of their squared distance from `centre`.
double meanOf(std::span<const float> numbers) {
    double sum = 0;
    for (const float number : numbers)
        sum += static_cast<double>(number);
    return sum / static_cast<double>(numbers.size());
}

double meanSquareOf(std::span<const float> numbers, double centre) {
    double sum = 0;
    for (const float number : numbers) {
        const double distance = static_cast<double>(number) - centre;
        sum += distance * distance;
    }
    return sum / static_cast<double>(numbers.size());
}

NormOrigin statisticsOf(std::span<const float> numbers, float input, NormKind kind, float epsilon) {
    NormOrigin norm;
    norm.kind = kind;
    norm.input = input;
    norm.epsilon = epsilon;
    norm.count = static_cast<Index>(numbers.size());
    norm.mean = kind == NormKind::RootMeanSquare ? 0 : meanOf(numbers);
    norm.deviation = std::sqrt(meanSquareOf(numbers, norm.mean) + static_cast<double>(epsilon));
    return norm;
}

} // namespace

NormOrigin batchStatistics(std::span<const float> channel, float input, float epsilon) {
    return statisticsOf(channel, input, NormKind::Batch, epsilon);
}

NormOrigin rowStatistics(std::span<const float> row, Index column, NormKind kind, float epsilon) {
    return statisticsOf(row, row[static_cast<std::size_t>(column)], kind, epsilon);
}

void norm(Work &work, StageAt from, ParameterKind gain, ParameterKind bias) {
    CellExplanation &cell = work.cell;
    cell.origin = Origin::Norm;
    cell.from = from;
    const Norm &config = work.config().norm;
    const SharedMatrix rows = work.matrix(from);
    const auto row = rows.row(work.row);
    if (config.kind == NormKind::Batch) {
        const Batch &batch = work.trace.input().of(from.site.stack);
        std::vector<float> channel;
        for (Index b = 0; b < batch.count(); ++b)
            for (Index t = 0; t < batch[b].length; ++t)
                channel.push_back(matrixAt(work.trace, from, b, 0)(t, work.column));
        cell.norm =
            batchStatistics(channel, row[static_cast<std::size_t>(work.column)], config.epsilon);
        cell.norm->sequences = batch.count();
    } else {
        cell.norm = rowStatistics(row, work.column, config.kind, config.epsilon);
    }
    if (const Parameter &numbers = work.numbers(gain))
        cell.norm->gain = (*numbers)(0, work.column);
    if (const Parameter &numbers = work.numbers(bias))
        cell.norm->bias = (*numbers)(0, work.column);
}

} // namespace headlight::core::origin
