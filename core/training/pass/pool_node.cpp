#include "core/training/pass/nodes.h"

namespace headlight::core {

namespace {

class PoolNode : public Node {
  public:
    PoolNode(const NodeRead &x, const Buffer &out, Pooling pooling, bool ofSource)
        : m_x(x), m_out(out), m_pooling(pooling), m_ofSource(ofSource) {}

    void forward(TrainingWorkspace &lane) const override {
        const RowLayout &columns = m_out.columns;
        for (Index i = 0; i < lane.sequences; ++i)
            pool({lane.value(m_x.buffer) + i * m_x.buffer.sizeOfSequence(), m_x.buffer.rows,
                  columns.width, columns.stride()},
                 length(lane, i), m_pooling,
                 {lane.value(m_out) + i * columns.stride(),
                  static_cast<std::size_t>(columns.width)});
    }

    void backward(TrainingWorkspace &lane) const override {
        const RowLayout &columns = m_out.columns;
        const Index size = m_x.buffer.sizeOfSequence();
        float *made = lane.scratch.data();
        std::fill_n(made, size, 0.0f);
        for (Index i = 0; i < lane.sequences; ++i) {
            poolBackward({lane.gradient(m_out) + i * columns.stride(),
                          static_cast<std::size_t>(columns.width)},
                         length(lane, i), m_pooling,
                         {made, m_x.buffer.rows, columns.width, columns.stride()});
            fastestKernels().training.add(made, nullptr, size, lane.gradient(m_x.buffer) + i * size,
                                          m_x.accumulate);
        }
    }

  private:
    Index length(const TrainingWorkspace &lane, Index i) const {
        return lane.length(m_ofSource ? lane.batch->source : lane.batch->tokens, i);
    }

    NodeRead m_x;
    Buffer m_out;
    Pooling m_pooling;
    bool m_ofSource;
};

} // namespace

NodePointer poolNode(const NodeRead &x, const Buffer &out, Pooling pooling, bool ofSource) {
    return std::make_unique<PoolNode>(x, out, pooling, ofSource);
}

} // namespace headlight::core
