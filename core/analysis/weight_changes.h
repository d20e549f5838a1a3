// The change of a head's attention weights between two compared texts.
#pragma once

#include "core/analysis/text_comparison.h"

namespace headlight::core {

struct WeightChanges {
    std::optional<WeightDifference> largest{}; ///< none if there is no difference
    /// Mean of |current − A|. No value if no cell is compared.
    std::optional<double> mean{};
};

/// Compares the cells whose query and key are paired. Leaves out cells that are 0 on both sides,
/// and cells that are not finite on one.
WeightChanges weightChanges(MatrixView now, MatrixView a, const AlignedPairs &queries,
                            const AlignedPairs &keys);

} // namespace headlight::core
