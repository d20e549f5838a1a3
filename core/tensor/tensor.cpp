#include "core/tensor/tensor.h"

namespace headlight::core {

namespace {

/// Returns the offset of the matrix of one sequence and head in a tensor of this shape.
Index offsetOf(const Shape &shape, Index sequence, Index head) {
    const Index heads = shape.rank() >= 4 ? shape.last(2) : 1;
    const Index batch = shape.rank() >= 4 ? shape.last(3) : shape.last(2);
    const Index b = batch == 1 ? 0 : sequence;
    const Index h = heads == 1 ? 0 : head;
    assert(b >= 0 && b < batch && h >= 0 && h < heads);
    return (b * heads + h) * shape.last(1) * shape.last(0);
}

} // namespace

Tensor::Tensor(SharedNumbers values, Shape shape)
    : m_shape(std::move(shape)), m_values(std::move(values)) {
    assert(m_shape.count() == static_cast<Index>(m_values.size()));
}

SharedMatrix Tensor::matrix(Index sequence, Index head) const {
    return {view(sequence, head), m_values.storage()};
}

MatrixView Tensor::view(Index sequence, Index head) const & {
    if (isNull())
        return {};
    return {m_values.data() + offsetOf(m_shape, sequence, head), m_shape.last(1), m_shape.last(0),
            m_shape.last(0)};
}

MutableMatrixView matrixOf(std::vector<float> &values, const Shape &shape, Index sequence,
                           Index head) {
    return {values.data() + offsetOf(shape, sequence, head), shape.last(1), shape.last(0),
            shape.last(0)};
}

} // namespace headlight::core
