// Token and position embeddings.
#include "core/training/pass/nodes.h"

namespace headlight::core {

namespace {

class LookUpNode : public Node {
  public:
    LookUpNode(const FlatParameter &matrix, const Buffer &out, bool ofSource)
        : m_matrix(matrix), m_out(out), m_ofSource(ofSource) {}

    void forward(TrainingWorkspace &lane) const override {
        const Index stride = m_out.columns.stride();
        float *to = lane.value(m_out);
        const Index *id = ids(lane);
        for (Index row = 0; row < lane.rows(m_out); ++row, to += stride)
            std::copy_n(lane.parameters + m_matrix.offset + id[row] * stride, stride, to);
    }

    void backward(TrainingWorkspace &lane) const override {
        const Index stride = m_out.columns.stride();
        const float *flowing = lane.gradient(m_out);
        const Index *id = ids(lane);
        for (Index row = 0; row < lane.rows(m_out); ++row, flowing += stride)
            fastestKernels().training.add(
                flowing, nullptr, stride,
                lane.parameterGradients + m_matrix.offset + id[row] * stride, Accumulate::Add);
    }

  private:
    const Index *ids(const TrainingWorkspace &lane) const {
        return lane.ids(m_ofSource ? lane.batch->source : lane.batch->tokens, m_out.rows);
    }

    FlatParameter m_matrix;
    Buffer m_out;
    bool m_ofSource;
};

/// Computes x + rows, where all sequences share the rows.
class AddRowsNode : public Node {
  public:
    AddRowsNode(const NodeRead &x, const Buffer &out) : m_x(x), m_out(out) {}

    void forward(TrainingWorkspace &lane) const override {
        const Index stride = m_out.columns.stride();
        const float *from = lane.value(m_x.buffer);
        float *to = lane.value(m_out);
        for (Index i = 0; i < lane.sequences; ++i)
            for (Index row = 0; row < m_out.rows; ++row, from += stride, to += stride)
                fastestKernels().training.add(from, this->row(lane, row), stride, to,
                                              Accumulate::Replace);
    }

    void backward(TrainingWorkspace &lane) const override {
        const Index stride = m_out.columns.stride();
        const float *flowing = lane.gradient(m_out);
        fastestKernels().training.add(flowing, nullptr, lane.rows(m_out) * stride,
                                      lane.gradient(m_x.buffer), m_x.accumulate);
        for (Index i = 0; i < lane.sequences; ++i)
            for (Index row = 0; row < m_out.rows; ++row, flowing += stride)
                if (float *to = rowGradient(lane, row))
                    fastestKernels().training.add(flowing, nullptr, stride, to, Accumulate::Add);
    }

  protected:
    virtual const float *row(const TrainingWorkspace &lane, Index row) const = 0;
    virtual float *rowGradient(const TrainingWorkspace &lane, Index row) const = 0;
    Index stride() const { return m_out.columns.stride(); }

  private:
    NodeRead m_x;
    Buffer m_out;
};

class AddFixedRowsNode : public AddRowsNode {
  public:
    AddFixedRowsNode(const NodeRead &x, const Buffer &out, const Matrix &rows)
        : AddRowsNode(x, out), m_rows(out.rows * out.columns.stride()) {
        for (Index row = 0; row < out.rows; ++row)
            std::ranges::copy(rows.view().row(row), m_rows.data() + row * stride());
    }

  protected:
    const float *row(const TrainingWorkspace &, Index row) const override {
        return m_rows.data() + row * stride();
    }
    float *rowGradient(const TrainingWorkspace &, Index) const override { return nullptr; }

  private:
    AlignedNumbers m_rows;
};

class AddLearnedRowsNode : public AddRowsNode {
  public:
    AddLearnedRowsNode(const NodeRead &x, const Buffer &out, const FlatParameter &matrix,
                       Index first, bool sameRow)
        : AddRowsNode(x, out), m_begin(matrix.offset + first * stride()), m_sameRow(sameRow) {}

  protected:
    const float *row(const TrainingWorkspace &lane, Index row) const override {
        return lane.parameters + place(row);
    }
    float *rowGradient(const TrainingWorkspace &lane, Index row) const override {
        return lane.parameterGradients + place(row);
    }

  private:
    Index place(Index row) const { return m_begin + (m_sameRow ? 0 : row * stride()); }

    Index m_begin;
    bool m_sameRow;
};

} // namespace

NodePointer lookUpNode(const FlatParameter &matrix, const Buffer &out, bool ofSource) {
    return std::make_unique<LookUpNode>(matrix, out, ofSource);
}

NodePointer addRowsNode(const NodeRead &x, const Buffer &out, const Matrix &rows) {
    return std::make_unique<AddFixedRowsNode>(x, out, rows);
}

NodePointer addLearnedRowsNode(const NodeRead &x, const Buffer &out, const FlatParameter &matrix,
                               Index first, bool sameRow) {
    return std::make_unique<AddLearnedRowsNode>(x, out, matrix, first, sameRow);
}

} // namespace headlight::core
