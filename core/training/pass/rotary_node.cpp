#include "core/training/pass/nodes.h"

namespace headlight::core {

namespace {

class RotateNode : public Node {
  public:
    RotateNode(const NodeRead &x, const Buffer &out, const RotaryTable &table)
        : m_x(x), m_out(out), m_table(table) {}

    void forward(TrainingWorkspace &lane) const override {
        forEachBlock(lane, lane.value(m_x.buffer), lane.value(m_out),
                     [this](MatrixView from, MutableMatrixView to) { rotate(from, m_table, to); });
    }
    void backward(TrainingWorkspace &lane) const override {
        const bool adds = m_x.accumulate == Accumulate::Add;
        const Index count = lane.rows(m_out) * m_out.columns.stride();
        float *made = adds ? lane.scratch.data() : lane.gradient(m_x.buffer);
        std::fill_n(made, count, 0.0f); // clears the padding as well
        forEachBlock(
            lane, lane.gradient(m_out), made,
            [this](MatrixView from, MutableMatrixView to) { rotateBackward(from, m_table, to); });
        if (adds)
            fastestKernels().training.add(made, nullptr, count, lane.gradient(m_x.buffer),
                                          Accumulate::Add);
    }

  private:
    template <typename Work>
    void forEachBlock(const TrainingWorkspace &lane, const float *from, float *to,
                      Work work) const {
        const RowLayout &columns = m_out.columns;
        for (Index i = 0; i < lane.sequences; ++i)
            for (Index block = 0; block < columns.blocks; ++block) {
                const Index begin = i * m_out.sizeOfSequence() + block * columns.blockStride();
                work({from + begin, m_out.rows, columns.width, columns.stride()},
                     {to + begin, m_out.rows, columns.width, columns.stride()});
            }
    }

    NodeRead m_x;
    Buffer m_out;
    RotaryTable m_table;
};

} // namespace

NodePointer rotateNode(const NodeRead &x, const Buffer &out, const RotaryTable &table) {
    return std::make_unique<RotateNode>(x, out, table);
}

} // namespace headlight::core
