#include "core/transformer/backward_pass.h"

#include "core/transformer/parameter_id.h"

#include <algorithm>
#include <utility>

namespace headlight::core {

Tensor BackwardPass::tensorOf(const StageNames &names) const {
    for (const auto &[stage, site] : names)
        if (const Tensor tensor = forward.stage(stage, site); !tensor.isNull())
            return tensor;
    return {};
}

Weights zerosLike(const Weights &weights, const std::stop_token &stop) {
    // A matrix of embeddings may take longer to clear than a person waits: piece by piece.
    constexpr std::size_t piece = std::size_t(1) << 20;
    Weights zeros = weights;
    for (const ParameterId &id : allParameters(weights)) {
        const Parameter model = std::exchange(parameterOf(zeros, id), nullptr);
        if (!model)
            continue;
        const std::size_t count = model->values().size();
        std::vector<float> values;
        values.reserve(count);
        while (values.size() < count && !stop.stop_requested())
            values.resize(std::min(count, values.size() + piece));
        if (values.size() == count)
            parameterOf(zeros, id) =
                std::make_shared<Matrix>(model->rows(), model->columns(), std::move(values));
    }
    return zeros;
}

MutableMatrixView into(const Parameter &sum) {
    // Made by zerosLike() as a matrix that may change.
    return sum ? const_cast<Matrix &>(*sum).view() : MutableMatrixView();
}

std::span<float> rowInto(const Parameter &sum) {
    return sum ? into(sum).row(0) : std::span<float>();
}

} // namespace headlight::core
