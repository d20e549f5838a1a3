// One step of one weight, with all that it is made of: what training does to a number, written out.
#pragma once

#include "core/explain/line.h"
#include "core/training/recipe/optimizer_settings.h"
#include "core/transformer/model/parameter_id.h"

#include <vector>

namespace headlight::core {

struct WeightUpdate {
    ParameterId id{};
    Index row = 0, column = 0;
    OptimizerSettings settings{};
    Index step = 0;                           ///< the step from `step` to `step` + 1
    double gradient = 0;                      ///< g, ∂loss/∂w of the step's batch
    double gradientLength = 0;                ///< of all weights' gradients together
    double clipFactor = 1;                    ///< what clipping leaves of g
    double firstBefore = 0, firstAfter = 0;   ///< m; of SGD its velocity v
    double secondBefore = 0, secondAfter = 0; ///< v, AdamW's alone
    double rate = 0;                          ///< η
    bool decays = false;                      ///< weight decay concerns it
    double before = 0, after = 0;             ///< w
};

/// In the order of the computation, each as "m ← 0.9·m + 0.1·g = 0.9·0.0012 + … = 0.0021".
std::vector<Line> linesOf(const WeightUpdate &update);

} // namespace headlight::core
