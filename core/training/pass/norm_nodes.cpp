#include "core/training/pass/nodes.h"

namespace headlight::core {

namespace {

class NormNode : public Node {
  public:
    NormNode(const NodeRead &x, const Buffer &out, const NormNumbers &numbers)
        : m_x(x),
          m_out(out),
          m_centred(numbers.centred),
          m_epsilon(numbers.epsilon),
          m_extras(numbers.extras) {
        if (numbers.gain)
            m_gain = numbers.gain->offset;
        if (numbers.bias)
            m_bias = numbers.bias->offset;
    }

    void forward(TrainingWorkspace &lane) const override {
        fastestKernels().training.norm(rowsOf(lane), lane.value(m_out));
    }

    void backward(TrainingWorkspace &lane) const override {
        const auto place = [&lane](const std::optional<Index> &offset) {
            return offset ? lane.parameterGradients + *offset : nullptr;
        };
        fastestKernels().training.normBackward(rowsOf(lane),
                                               {lane.gradient(m_out), lane.gradient(m_x.buffer),
                                                m_x.accumulate, place(m_gain), place(m_bias)});
    }

  private:
    NormRows rowsOf(TrainingWorkspace &lane) const {
        const RowLayout &columns = m_x.buffer.columns;
        const Index rows = lane.rows(m_x.buffer) * columns.blocks;
        float *kept = lane.extra(m_extras);
        return {lane.value(m_x.buffer),
                rows,
                columns.width,
                columns.blockStride(),
                m_centred,
                m_epsilon,
                m_gain ? lane.parameters + *m_gain : nullptr,
                m_bias ? lane.parameters + *m_bias : nullptr,
                kept,
                kept + rows};
    }

    NodeRead m_x;
    Buffer m_out;
    bool m_centred;
    float m_epsilon;
    Index m_extras;
    std::optional<Index> m_gain{}, m_bias{};
};

} // namespace

NodePointer normNode(const NodeRead &x, const Buffer &out, const NormNumbers &numbers) {
    return std::make_unique<NormNode>(x, out, numbers);
}

} // namespace headlight::core
