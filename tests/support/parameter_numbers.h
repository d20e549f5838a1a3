// All numbers of a model's parameters, for comparisons.
#pragma once

#include "core/transformer/model/parameter_id.h"
#include "core/transformer/model/parameters.h"

#include <vector>

namespace headlight::test {

inline bool sameNumbers(const core::ModelParameters &a, const core::ModelParameters &b) {
    for (const core::ParameterId &id : core::allParameters(a))
        if (!core::sameNumbers(parameterOf(a, id), parameterOf(b, id)))
            return false;
    return true;
}

inline std::vector<float> numbersOf(const core::ModelParameters &parameters) {
    std::vector<float> all;
    for (const core::ParameterId &id : core::allParameters(parameters))
        if (const core::Parameter &parameter = parameterOf(parameters, id)) {
            const core::Matrix matrix = *parameter->toMatrix();
            all.insert(all.end(), matrix.values().begin(), matrix.values().end());
        }
    return all;
}

} // namespace headlight::test
