// Elementwise operations.
#include "core/kernels/kernels.h"
#include "core/training/pass/nodes.h"

#include <cmath>

namespace headlight::core {

namespace {

/// Base of nodes that have one input, and an output of the same size.
class OneNode : public Node {
  public:
    OneNode(const NodeRead &x, const Buffer &out) : m_x(x), m_out(out) {}

    void forward(TrainingWorkspace &lane) const override {
        values(lane.value(m_x.buffer), count(lane), lane.value(m_out));
    }
    void backward(TrainingWorkspace &lane) const override {
        const bool adds = m_x.accumulate == Accumulate::Add;
        float *to = adds ? lane.scratch.data() : lane.gradient(m_x.buffer);
        slopes(lane.value(m_x.buffer), lane.value(m_out), lane.gradient(m_out), count(lane), to);
        if (adds)
            fastestKernels().training.add(to, nullptr, count(lane), lane.gradient(m_x.buffer),
                                          Accumulate::Add);
    }

  protected:
    virtual void values(const float *x, Index count, float *out) const = 0;
    virtual void slopes(const float *x, const float *out, const float *outGradient, Index count,
                        float *xGradient) const = 0;

  private:
    Index count(const TrainingWorkspace &lane) const {
        return lane.rows(m_out) * m_out.columns.stride();
    }

    NodeRead m_x;
    Buffer m_out;
};

class ScaleNode : public OneNode {
  public:
    ScaleNode(const NodeRead &x, const Buffer &out, float factor)
        : OneNode(x, out), m_factor(factor) {}

  protected:
    void values(const float *x, Index count, float *out) const override {
        for (Index i = 0; i < count; ++i)
            out[i] = x[i] * m_factor;
    }
    void slopes(const float *, const float *, const float *outGradient, Index count,
                float *xGradient) const override {
        values(outGradient, count, xGradient);
    }

  private:
    float m_factor;
};

class ActivateNode : public OneNode {
  public:
    ActivateNode(const NodeRead &x, const Buffer &out, Activation activation)
        : OneNode(x, out),
          m_kernels(fastestKernels().rows.activations[static_cast<std::size_t>(activation)]) {}

  protected:
    void values(const float *x, Index count, float *out) const override {
        m_kernels.values(x, static_cast<std::size_t>(count), out);
    }
    void slopes(const float *x, const float *, const float *outGradient, Index count,
                float *xGradient) const override {
        m_kernels.slopes(x, outGradient, static_cast<std::size_t>(count), xGradient);
    }

  private:
    const ActivationKernels &m_kernels;
};

class TanhNode : public OneNode {
  public:
    using OneNode::OneNode;

  protected:
    void values(const float *x, Index count, float *out) const override {
        for (Index i = 0; i < count; ++i)
            out[i] = std::tanh(x[i]);
    }
    void slopes(const float *, const float *out, const float *outGradient, Index count,
                float *xGradient) const override {
        for (Index i = 0; i < count; ++i)
            xGradient[i] = outGradient[i] * (1 - out[i] * out[i]);
    }
};

class AddNode : public Node {
  public:
    AddNode(const NodeRead &a, const NodeRead &b, const Buffer &out) : m_a(a), m_b(b), m_out(out) {}

    void forward(TrainingWorkspace &lane) const override {
        fastestKernels().training.add(lane.value(m_a.buffer), lane.value(m_b.buffer), count(lane),
                                      lane.value(m_out), Accumulate::Replace);
    }
    void backward(TrainingWorkspace &lane) const override {
        for (const NodeRead &read : {m_a, m_b})
            fastestKernels().training.add(lane.gradient(m_out), nullptr, count(lane),
                                          lane.gradient(read.buffer), read.accumulate);
    }

  private:
    Index count(const TrainingWorkspace &lane) const {
        return lane.rows(m_out) * m_out.columns.stride();
    }

    NodeRead m_a, m_b;
    Buffer m_out;
};

class GateNode : public Node {
  public:
    GateNode(const NodeRead &gate, const NodeRead &hidden, const Buffer &out, Activation activation)
        : m_gate(gate),
          m_hidden(hidden),
          m_out(out),
          m_kernels(fastestKernels().rows.activations[static_cast<std::size_t>(activation)]) {}

    void forward(TrainingWorkspace &lane) const override {
        const Index count = this->count(lane);
        const float *hidden = lane.value(m_hidden.buffer);
        float *out = lane.value(m_out);
        m_kernels.values(lane.value(m_gate.buffer), static_cast<std::size_t>(count), out);
        for (Index i = 0; i < count; ++i)
            out[i] *= hidden[i];
    }
    void backward(TrainingWorkspace &lane) const override {
        const Index count = this->count(lane);
        const float *gate = lane.value(m_gate.buffer), *hidden = lane.value(m_hidden.buffer);
        const float *flowing = lane.gradient(m_out);
        float *made = lane.scratch.data();
        m_kernels.values(gate, static_cast<std::size_t>(count), made);
        for (Index i = 0; i < count; ++i)
            made[i] *= flowing[i];
        fastestKernels().training.add(made, nullptr, count, lane.gradient(m_hidden.buffer),
                                      m_hidden.accumulate);
        for (Index i = 0; i < count; ++i)
            made[i] = hidden[i] * flowing[i];
        m_kernels.slopes(gate, made, static_cast<std::size_t>(count), made);
        fastestKernels().training.add(made, nullptr, count, lane.gradient(m_gate.buffer),
                                      m_gate.accumulate);
    }

  private:
    Index count(const TrainingWorkspace &lane) const {
        return lane.rows(m_out) * m_out.columns.stride();
    }

    NodeRead m_gate, m_hidden;
    Buffer m_out;
    const ActivationKernels &m_kernels;
};

} // namespace

NodePointer addNode(const NodeRead &a, const NodeRead &b, const Buffer &out) {
    return std::make_unique<AddNode>(a, b, out);
}

NodePointer scaleNode(const NodeRead &x, const Buffer &out, float factor) {
    return std::make_unique<ScaleNode>(x, out, factor);
}

NodePointer activateNode(const NodeRead &x, const Buffer &out, Activation activation) {
    return std::make_unique<ActivateNode>(x, out, activation);
}

NodePointer gateNode(const NodeRead &gate, const NodeRead &hidden, const Buffer &out,
                     Activation activation) {
    return std::make_unique<GateNode>(gate, hidden, out, activation);
}

NodePointer tanhNode(const NodeRead &x, const Buffer &out) {
    return std::make_unique<TanhNode>(x, out);
}

} // namespace headlight::core
