#include "core/transformer/run/adjoint.h"

#include <algorithm>
#include <functional>

namespace headlight::core {

namespace {

constexpr std::size_t kNumbersAtOnce = std::size_t(1) << 20; // cleared in about a millisecond

} // namespace

std::vector<float> zeros(std::size_t count, const std::stop_token &stop) {
    std::vector<float> values;
    values.reserve(count);
    while (values.size() < count) {
        throwIfCancelled(stop);
        values.resize(std::min(count, values.size() + kNumbersAtOnce));
    }
    return values;
}

Adjoint Adjoint::zeros(const Shape &shape, const std::stop_token &stop) {
    return {shape, core::zeros(static_cast<std::size_t>(shape.count()), stop)};
}

MutableMatrixView Adjoint::rows() {
    const Index columns = shape.last(0);
    return {values.data(), shape.count() / columns, columns, columns};
}

void Adjoint::add(Adjoint other) {
    if (isNull()) {
        *this = std::move(other);
        return;
    }
    assert(other.isNull() || other.shape == shape);
    if (!other.isNull())
        std::ranges::transform(values, other.values, values.begin(), std::plus());
}

void Adjoint::add(const Tensor &tensor, const std::stop_token &stop) {
    if (isNull())
        *this = zeros(tensor.shape(), stop);
    assert(tensor.shape() == shape);
    for (std::size_t first = 0; first < values.size(); first += kNumbersAtOnce) {
        throwIfCancelled(stop);
        const std::size_t end = std::min(values.size(), first + kNumbersAtOnce);
        for (std::size_t i = first; i < end; ++i)
            values[i] += tensor.values()[i];
    }
}

MatrixView rowsOf(const Tensor &tensor) {
    const Index columns = tensor.shape().last(0);
    return {tensor.values().data(), tensor.shape().count() / columns, columns, columns};
}

Adjoint splitHeads(Adjoint &together, Index heads) {
    const Index sequences = together.shape[0], tokens = together.shape[1];
    const Index d = together.shape[2] / heads;
    Adjoint apart = Adjoint::zeros({sequences, heads, tokens, d});
    for (Index b = 0; b < sequences; ++b)
        for (Index h = 0; h < heads; ++h) {
            const MatrixView from = MatrixView(together.matrix(b)).columnBlock(h * d, d);
            const MutableMatrixView to = apart.matrix(b, h);
            for (Index t = 0; t < tokens; ++t)
                std::ranges::copy(from.row(t), to.row(t).begin());
        }
    return apart;
}

Adjoint joinHeads(Adjoint &apart) {
    const Index sequences = apart.shape[0], heads = apart.shape[1], tokens = apart.shape[2];
    const Index d = apart.shape[3];
    Adjoint together = Adjoint::zeros({sequences, tokens, heads * d});
    for (Index b = 0; b < sequences; ++b)
        for (Index h = 0; h < heads; ++h) {
            const MatrixView from = apart.matrix(b, h);
            const MutableMatrixView to = together.matrix(b).columnBlock(h * d, d);
            for (Index t = 0; t < tokens; ++t)
                std::ranges::copy(from.row(t), to.row(t).begin());
        }
    return together;
}

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
