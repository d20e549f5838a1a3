#include "core/transformer/model/parameter_summary.h"

#include "core/transformer/model/parameter_id.h"

#include <algorithm>
#include <utility>

namespace headlight::core {

Index parameterCount(const ModelParameters &weights) {
    Index count = 0;
    for (const ParameterId &id : allParameters(weights))
        if (const Parameter &parameter = parameterOf(weights, id))
            count += parameter->rows() * parameter->columns();
    return count;
}

std::vector<std::string_view> numberTypesOf(const ModelParameters &weights) {
    constexpr std::pair<NumberType, std::string_view> kTypes[] = {
        {NumberType::F32, "F32"}, {NumberType::F16, "F16"}, {NumberType::BF16, "BF16"}};
    std::vector<std::string_view> types;
    for (const auto &named : kTypes)
        if (std::ranges::any_of(allParameters(weights), [&](const ParameterId &id) {
                const Parameter &parameter = parameterOf(weights, id);
                return parameter && parameter->layout().type == named.first;
            }))
            types.push_back(named.second);
    return types;
}

} // namespace headlight::core
