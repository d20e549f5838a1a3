#include "core/analysis/weight_changes.h"

#include <cmath>

namespace headlight::core {

WeightChanges weightChanges(MatrixView now, MatrixView a, const AlignedPairs &queries,
                            const AlignedPairs &keys) {
    WeightChanges changes;
    double sum = 0;
    Index cells = 0;
    for (const AlignedPair &query : queries)
        for (const AlignedPair &key : keys) {
            const auto left = static_cast<double>(now(query.now, key.now));
            const auto right = static_cast<double>(a(query.a, key.a));
            if ((left == 0 && right == 0) || !std::isfinite(left) || !std::isfinite(right))
                continue;
            const double difference = left - right;
            sum += std::abs(difference);
            ++cells;
            if (std::abs(difference) >
                (changes.largest ? std::abs(changes.largest->difference) : 0))
                changes.largest = {query, key, difference};
        }
    if (cells > 0)
        changes.mean = sum / static_cast<double>(cells);
    return changes;
}

} // namespace headlight::core
