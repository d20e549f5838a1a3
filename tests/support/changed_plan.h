// core/transformer/plan/build.cpp with every plan replaced by changedPlan(), for a program with a
// fault. To be included once in a program.
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
