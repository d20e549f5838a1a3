#include "core/explain/statistics.h"

namespace headlight::core {

Statistics statisticsOf(std::span<const float> numbers, NormKind kind) {
    Statistics found;
    found.count = static_cast<Index>(numbers.size());
    const double count = numbers.empty() ? 1 : static_cast<double>(numbers.size());
    double sum = 0;
    for (const float number : numbers)
        sum += static_cast<double>(number);
    found.mean = kind == NormKind::RootMeanSquare ? 0 : sum / count;
    double squares = 0;
    for (const float number : numbers) {
        const double distance = static_cast<double>(number) - found.mean;
        squares += distance * distance;
    }
    found.variance = squares / count;
    return found;
}

} // namespace headlight::core
