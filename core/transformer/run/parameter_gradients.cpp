#include "core/transformer/run/parameter_gradients.h"

#include "core/transformer/run/adjoint.h"

namespace headlight::core {

ParameterGradients::ParameterGradients(const ModelParameters &weights, const std::stop_token &stop)
    : m_weights(weights) {
    for (const ParameterId &id : allParameters(weights))
        if (const Parameter &of = parameterOf(weights, id)) {
            const auto size = static_cast<std::size_t>(of->rows() * of->columns());
            m_gradients.emplace(id, Matrix(of->rows(), of->columns(), zeros(size, stop)));
        }
}

MutableMatrixView ParameterGradients::of(const ParameterSlice &slice, Index heads, Index head) {
    const auto gradient = m_gradients.find(slice.id);
    if (gradient == m_gradients.end())
        return {};
    return slice.partOf(gradient->second.view(), heads, head);
}

std::span<float> ParameterGradients::rowOf(const ParameterSlice &slice) {
    const MutableMatrixView all = of({slice.id});
    return MatrixView(all).empty() ? std::span<float>() : all.row(0);
}

ModelParameters ParameterGradients::take() {
    for (auto &[id, gradient] : m_gradients)
        parameterOf(m_weights, id) = makeParameter(std::move(gradient));
    return std::move(m_weights);
}

} // namespace headlight::core
