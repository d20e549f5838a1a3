#include "core/training/pass/flat_parameters.h"

#include <algorithm>

namespace headlight::core {

bool FlatParameters::add(const ParameterId &id, const RowLayout &rows, const RowLayout &columns,
                         bool decays, std::size_t &at) {
    for (at = 0; at < m_parameters.size(); ++at)
        if (m_parameters[at].id == id) {
            m_parameters[at].decays |= decays;
            return m_parameters[at].rows == rows && m_parameters[at].columns == columns;
        }
    m_parameters.push_back({id, rows, columns, m_size, decays});
    m_size += m_parameters.back().size();
    return true;
}

void FlatParameters::needTransposed(std::size_t at) {
    FlatParameter &parameter = m_parameters[at];
    if (parameter.transposed)
        return;
    parameter.transposed = m_transposedSize;
    m_transposedSize += parameter.columns.stride() * parameter.transposedStride();
}

Outcome FlatParameters::read(const Weights &weights, float *numbers) const {
    for (const FlatParameter &place : m_parameters) {
        const Parameter parameter =
            hasPlaceFor(weights, place.id) ? parameterOf(weights, place.id) : nullptr;
        if (!parameter)
            continue;
        const Result<Matrix> read = parameter->toMatrix();
        if (!read)
            return read.error();
        for (Index row = 0; row < read->rows(); ++row)
            for (Index column = 0; column < read->columns(); ++column)
                numbers[place.place(row, column)] = (*read)(row, column);
    }
    return Done{};
}

Weights FlatParameters::toWeights(const Weights &shape, const float *numbers) const {
    Weights weights = shape;
    for (const FlatParameter &place : m_parameters) {
        Matrix matrix(place.rows.count(), place.columns.count());
        for (Index row = 0; row < matrix.rows(); ++row)
            for (Index column = 0; column < matrix.columns(); ++column)
                matrix(row, column) = numbers[place.place(row, column)];
        parameterOf(weights, place.id) = makeParameter(std::move(matrix));
    }
    return weights;
}

void FlatParameters::transpose(const float *numbers, float *transposed) const {
    for (const FlatParameter &place : m_parameters)
        if (place.transposed)
            trainingKernels().transpose(numbers + place.offset, place.columns.stride(),
                                        place.rows.extent(), place.columns.stride(),
                                        transposed + *place.transposed, place.transposedStride());
}

const FlatParameter *FlatParameters::find(const ParameterId &id) const {
    const auto found = std::ranges::find(m_parameters, id, &FlatParameter::id);
    return found == m_parameters.end() ? nullptr : &*found;
}

} // namespace headlight::core
