// One training step of a single parameter element, with all intermediate values.
#pragma once

#include "core/message.h"
#include "core/training/recipe/optimizer_settings.h"
#include "core/transformer/model/parameter_id.h"

#include <string>
#include <vector>

namespace headlight::core {

struct WeightUpdate {
    ParameterId id{};
    Index row = 0, column = 0;
    OptimizerSettings settings{};
    Index step = 0;                           ///< step number, counted from 0
    double gradient = 0;                      ///< g, ∂loss/∂w for the step's batch
    double gradientLength = 0;                ///< norm of the complete gradient
    double clipFactor = 1;                    ///< factor by which clipping multiplies g
    double firstBefore = 0, firstAfter = 0;   ///< m; for SGD the velocity v
    double secondBefore = 0, secondAfter = 0; ///< v, AdamW only
    double rate = 0;                          ///< η
    bool decays = false;                      ///< true if weight decay applies
    double before = 0, after = 0;             ///< w
};

/// A row of the calculation, for example: "mean of the gradients | m ← β₁·m + (1 − β₁)·g |
/// 0.9·0.0012 + … | 0.0021".
struct UpdateRow {
    Message name;
    std::string formula;
    std::string numbers; ///< the formula with numbers inserted; empty for the gradient
    double value = 0;
};

/// Returns the calculation: six rows for AdamW, five for SGD. The last row is the new value.
std::vector<UpdateRow> rowsOf(const WeightUpdate &update);

} // namespace headlight::core
