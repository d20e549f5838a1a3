#include "core/training/pass/nodes.h"

namespace headlight::core {

namespace {

class LinearNode : public Node {
  public:
    LinearNode(const NodeRead &x, const Buffer &out, const FlatParameter &matrix,
               const FlatParameter *bias, bool transposed)
        : m_x(x), m_out(out), m_matrix(matrix), m_transposed(transposed) {
        if (bias)
            m_bias = bias->offset;
    }

    void forward(TrainingWorkspace &lane) const override {
        SmallProduct product{};
        product.a = lane.value(m_x.buffer);
        product.aRowStride = m_x.buffer.columns.stride();
        product.aDepthStride = 1;
        product.b = m_transposed ? turned(lane) : straight(lane);
        product.bStride = m_out.columns.stride();
        product.out = lane.value(m_out);
        product.outStride = m_out.columns.stride();
        product.rows = lane.rows(m_out);
        product.depth = m_x.buffer.columns.extent();
        product.columns = m_out.columns.stride();
        product.bias = m_bias ? lane.parameters + *m_bias : nullptr;
        fastestKernels().training.product(product);
    }

    void backward(TrainingWorkspace &lane) const override {
        const TrainingKernels &kernels = fastestKernels().training;
        const float *flowing = lane.gradient(m_out);
        const Index outStride = m_out.columns.stride(), xStride = m_x.buffer.columns.stride();
        const Index rows = lane.rows(m_out);
        SmallProduct toX{};
        toX.a = flowing;
        toX.aRowStride = outStride;
        toX.aDepthStride = 1;
        toX.b = m_transposed ? straight(lane) : turned(lane);
        toX.bStride = xStride;
        toX.out = lane.gradient(m_x.buffer);
        toX.outStride = xStride;
        toX.rows = rows;
        toX.depth = m_out.columns.extent();
        toX.columns = xStride;
        toX.accumulate = m_x.accumulate;
        kernels.product(toX);
        // xᵀ · gradient. For a transposed matrix, gradientᵀ · x.
        const float *x = lane.value(m_x.buffer);
        SmallProduct toMatrix{};
        toMatrix.a = m_transposed ? flowing : x;
        toMatrix.aRowStride = 1;
        toMatrix.aDepthStride = m_transposed ? outStride : xStride;
        toMatrix.b = m_transposed ? x : flowing;
        toMatrix.bStride = m_transposed ? xStride : outStride;
        toMatrix.out = lane.parameterGradients + m_matrix.offset;
        toMatrix.outStride = m_matrix.columns.stride();
        toMatrix.rows = m_matrix.rows.extent();
        toMatrix.depth = rows;
        toMatrix.columns = m_matrix.columns.stride();
        toMatrix.accumulate = Accumulate::Add;
        kernels.product(toMatrix);
        if (m_bias)
            kernels.addRows(flowing, rows, outStride, outStride, lane.parameterGradients + *m_bias);
    }

  private:
    const float *straight(const TrainingWorkspace &lane) const {
        return lane.parameters + m_matrix.offset;
    }
    const float *turned(const TrainingWorkspace &lane) const {
        return lane.transposed + *m_matrix.transposed;
    }

    NodeRead m_x;
    Buffer m_out;
    FlatParameter m_matrix;
    std::optional<Index> m_bias{};
    bool m_transposed;
};

} // namespace

NodePointer linearNode(const NodeRead &x, const Buffer &out, const FlatParameter &matrix,
                       const FlatParameter *bias, bool transposed) {
    return std::make_unique<LinearNode>(x, out, matrix, bias, transposed);
}

} // namespace headlight::core
