// Compiles core/transformer/plan/build.cpp with changedPlan() in place of every plan, for a program
// with an intentional fault. Include it only once per program.
#pragma once

#define planOf truePlanOf
#include "core/transformer/plan/build.cpp" // NOLINT
#undef planOf

namespace headlight::core {

/// Returns the plan with the program's fault.
Plan changedPlan(const Plan &plan);

Plan planOf(const Model &model, const Extent &extent);
Plan planOf(const Model &model, const Input &input);

Plan planOf(const Model &model, const Extent &extent) {
    return changedPlan(truePlanOf(model, extent));
}

Plan planOf(const Model &model, const Input &input) {
    return changedPlan(truePlanOf(model, input));
}

} // namespace headlight::core
