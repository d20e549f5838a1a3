#include "core/transformer/backward_pass.h"

#include "core/transformer/parameter_id.h"

namespace headlight::core {

Tensor BackwardPass::tensorOf(const StageNames &names) const {
    for (const auto &[stage, site] : names)
        if (const Tensor tensor = forward.stage(stage, site); !tensor.isNull())
            return tensor;
    return {};
}

Weights zerosLike(const Weights &weights, const std::stop_token &stop) {
    Weights sums = weights;
    for (const ParameterId &id : allParameters(weights))
        if (const Parameter &model = parameterOf(weights, id))
            parameterOf(sums, id) = std::make_shared<Matrix>(model->rows(), model->columns(),
                                                             zeros(model->values().size(), stop));
    return sums;
}

MutableMatrixView into(const Parameter &sum) {
    // Made by zerosLike() as a matrix that may change.
    return sum ? const_cast<Matrix &>(*sum).view() : MutableMatrixView();
}

std::span<float> rowInto(const Parameter &sum) {
    return sum ? into(sum).row(0) : std::span<float>();
}

} // namespace headlight::core
