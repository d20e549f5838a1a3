#include "core/transformer/run/parameter_gradients.h"

#include "core/transformer/run/adjoint.h"

namespace headlight::core {

ParameterGradients::ParameterGradients(const Weights &weights, const std::stop_token &stop)
    : m_gradients(weights) {
    for (const ParameterId &id : allParameters(weights))
        if (const Parameter &of = parameterOf(weights, id))
            parameterOf(m_gradients, id) = std::make_shared<Matrix>(
                of->rows(), of->columns(), zeros(of->values().size(), stop));
}

MutableMatrixView ParameterGradients::of(const ParameterSlice &slice, Index heads,
                                         Index head) const {
    const Parameter &gradient = parameterOf(m_gradients, slice.id);
    if (!gradient)
        return {};
    // Made above as a matrix that may change.
    const MutableMatrixView all = const_cast<Matrix &>(*gradient).view();
    switch (slice.split) {
    case ParameterSlice::Split::Columns:
        return all.columnBlock(head * (all.columns / heads), all.columns / heads);
    case ParameterSlice::Split::Rows:
        return all.rowBlock(head * (all.rows / heads), all.rows / heads);
    case ParameterSlice::Split::Whole:
        break;
    }
    return all;
}

std::span<float> ParameterGradients::rowOf(const ParameterSlice &slice) const {
    const MutableMatrixView all = of({slice.id});
    return MatrixView(all).empty() ? std::span<float>() : all.row(0);
}

} // namespace headlight::core
