#include "core/training/pass/flat_parameters.h"

#include "core/tensor/in_parallel.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Splits a row of the model's matrix into pieces that are contiguous in the buffer, and calls
/// copy(first column, offset, count) for each.
template <typename Copy>
void forEachBlock(const FlatParameter &parameter, Index row, Copy copy) {
    const RowLayout &columns = parameter.columns;
    for (Index column = 0; column < columns.count(); column += columns.width)
        copy(column, parameter.place(row, column), columns.width);
}

} // namespace

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

Outcome FlatParameters::read(const ModelParameters &weights, float *numbers) const {
    for (const FlatParameter &place : m_parameters) {
        const Parameter parameter =
            hasPlaceFor(weights, place.id) ? parameterOf(weights, place.id) : nullptr;
        if (!parameter)
            continue;
        const Result<Matrix> read = parameter->toMatrix();
        if (!read)
            return read.error();
        for (Index row = 0; row < read->rows(); ++row)
            forEachBlock(place, row, [&](Index column, Index at, Index count) {
                std::copy_n(read->view().row(row).data() + column, count, numbers + at);
            });
    }
    return Done{};
}

ModelParameters FlatParameters::toWeights(const ModelParameters &shape,
                                          const float *numbers) const {
    ModelParameters weights = shape;
    std::vector<Parameter> copies(m_parameters.size());
    inParallel(std::ssize(m_parameters), [&](Index i, Index) {
        const FlatParameter &place = m_parameters[static_cast<std::size_t>(i)];
        Matrix matrix(place.rows.count(), place.columns.count());
        for (Index row = 0; row < matrix.rows(); ++row)
            forEachBlock(place, row, [&](Index column, Index at, Index count) {
                std::copy_n(numbers + at, count, matrix.view().row(row).data() + column);
            });
        copies[static_cast<std::size_t>(i)] = makeParameter(std::move(matrix));
    });
    for (std::size_t i = 0; i < copies.size(); ++i)
        parameterOf(weights, m_parameters[i].id) = std::move(copies[i]);
    return weights;
}

void FlatParameters::transpose(const float *numbers, float *transposed,
                               const std::stop_token &stop) const {
    for (const FlatParameter &place : m_parameters)
        if (place.transposed && !stop.stop_requested())
            fastestKernels().training.transpose(
                numbers + place.offset, place.columns.stride(), place.rows.extent(),
                place.columns.stride(), transposed + *place.transposed, place.transposedStride());
}

const FlatParameter *FlatParameters::find(const ParameterId &id) const {
    const auto found = std::ranges::find(m_parameters, id, &FlatParameter::id);
    return found == m_parameters.end() ? nullptr : &*found;
}

} // namespace headlight::core
