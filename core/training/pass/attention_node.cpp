#include "core/operations/mask.h"
#include "core/training/pass/nodes.h"

#include <limits>

namespace headlight::core {

namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

/// Attention. Computes one head of one sequence at a time, so that its scores and attention weights
/// stay in the cache.
class AttentionNode : public Node {
  public:
    AttentionNode(const AttentionOffsets &places, const AttentionMask &mask,
                  const std::optional<AttentionBias> &bias)
        : m_at(places),
          m_queries(places.query.buffer.rows),
          m_keys(places.key.buffer.rows),
          m_stride(padded(m_keys)),
          m_mask(m_queries * m_stride),
          m_padding(2 * m_stride),
          m_bias(bias) {
        makeMask(mask);
        if (bias && !bias->table) {
            m_fixedBias = AlignedNumbers(heads() * tile());
            write(*bias, {}, m_fixedBias.data());
        }
    }

    void forward(TrainingWorkspace &lane) const override {
        const TrainingKernels &kernels = fastestKernels().training;
        const float *bias = biasOf(lane);
        float *turned = lane.scratch.data();
        SoftmaxRows rows{};
        rows.rows = m_queries;
        rows.columns = rows.stride = m_stride;
        rows.factor = m_at.scale / m_at.temperature;
        rows.hidden = m_mask.data();
        for (Index i = 0; i < lane.sequences; ++i) {
            rows.padding = paddingOf(lane, i);
            for (Index head = 0; head < heads(); ++head) {
                float *weights = weightsOf(lane, i, head);
                kernels.transpose(key(lane, i, head), keyStride(), m_keys, size(), turned,
                                  m_stride);
                kernels.product({query(lane, i, head), queryStride(), 1, turned, m_stride, weights,
                                 m_stride, m_queries, size(), m_stride, nullptr,
                                 Accumulate::Replace});
                rows.scores = weights;
                rows.bias = bias ? bias + head * tile() : nullptr;
                kernels.softmax(rows);
                kernels.product({weights, m_stride, 1, value(lane, i, head), valueStride(),
                                 context(lane, i, head), contextStride(), m_queries, m_keys,
                                 padded(valueSize()), nullptr, Accumulate::Replace});
            }
        }
    }

    void backward(TrainingWorkspace &lane) const override {
        const TrainingKernels &kernels = fastestKernels().training;
        float *turned = lane.scratch.data();
        float *flowing = turned + padded(std::max(size(), valueSize())) * m_stride;
        const float factor = m_at.scale / m_at.temperature;
        const RowLayout &keys = m_at.key.buffer.columns;
        for (Index i = 0; i < lane.sequences; ++i)
            for (Index head = 0; head < heads(); ++head) {
                const float *weights = weightsOf(lane, i, head);
                const float *contextGradient =
                    lane.gradient(m_at.context) + placeIn(m_at.context, i, head);
                // The first head of a group initialises the gradients of the group's keys and
                // values.
                const bool begins = head * keys.blocks % heads() < keys.blocks;
                const auto accumulate = [begins](const NodeRead &reading) {
                    return begins ? reading.accumulate : Accumulate::Add;
                };
                kernels.transpose(value(lane, i, head), valueStride(), m_keys, valueSize(), turned,
                                  m_stride);
                kernels.product({contextGradient, contextStride(), 1, turned, m_stride, flowing,
                                 m_stride, m_queries, valueSize(), m_stride, nullptr,
                                 Accumulate::Replace});
                kernels.product(
                    {weights, 1, m_stride, contextGradient, contextStride(),
                     lane.gradient(m_at.value.buffer) + placeIn(m_at.value.buffer, i, group(head)),
                     valueStride(), m_keys, m_queries, padded(valueSize()), nullptr,
                     accumulate(m_at.value)});
                kernels.softmaxBackward(weights, flowing, m_queries, m_stride, m_stride, factor);
                if (m_hidesBySomeNumber)
                    keepHidden(lane, i, flowing);
                if (m_bias && m_bias->table)
                    addToTable(lane, head, flowing);
                kernels.product(
                    {flowing, m_stride, 1, key(lane, i, head), keyStride(),
                     lane.gradient(m_at.query.buffer) + placeIn(m_at.query.buffer, i, head),
                     queryStride(), m_queries, m_keys, padded(size()), nullptr,
                     m_at.query.accumulate});
                kernels.product(
                    {flowing, 1, m_stride, query(lane, i, head), queryStride(),
                     lane.gradient(m_at.key.buffer) + placeIn(m_at.key.buffer, i, group(head)),
                     keyStride(), m_keys, m_queries, padded(size()), nullptr,
                     accumulate(m_at.key)});
            }
    }

  private:
    Index heads() const { return m_at.query.buffer.columns.blocks; }
    Index size() const { return m_at.query.buffer.columns.width; }
    Index valueSize() const { return m_at.value.buffer.columns.width; }
    Index group(Index head) const { return head * m_at.key.buffer.columns.blocks / heads(); }
    Index queryStride() const { return m_at.query.buffer.columns.stride(); }
    Index keyStride() const { return m_at.key.buffer.columns.stride(); }
    Index valueStride() const { return m_at.value.buffer.columns.stride(); }
    Index contextStride() const { return m_at.context.columns.stride(); }
    /// Returns the number of scores of one head, including padded columns.
    Index tile() const { return m_queries * m_stride; }
    static Index placeIn(const Buffer &buffer, Index i, Index block) {
        return i * buffer.sizeOfSequence() + block * buffer.columns.blockStride();
    }
    const float *query(TrainingWorkspace &lane, Index i, Index head) const {
        return lane.value(m_at.query.buffer) + placeIn(m_at.query.buffer, i, head);
    }
    const float *key(TrainingWorkspace &lane, Index i, Index head) const {
        return lane.value(m_at.key.buffer) + placeIn(m_at.key.buffer, i, group(head));
    }
    const float *value(TrainingWorkspace &lane, Index i, Index head) const {
        return lane.value(m_at.value.buffer) + placeIn(m_at.value.buffer, i, group(head));
    }
    float *context(TrainingWorkspace &lane, Index i, Index head) const {
        return lane.value(m_at.context) + placeIn(m_at.context, i, head);
    }
    float *weightsOf(TrainingWorkspace &lane, Index i, Index head) const {
        return lane.extra(m_at.extras) + (i * heads() + head) * tile();
    }
    MutableMatrixView view(float *numbers) const { return {numbers, m_queries, m_keys, m_stride}; }

    void makeMask(const AttentionMask &given) {
        MaskLayers fixed = given.layers;
        m_hidesPadding = std::erase_if(fixed, [](const MaskLayer &layer) {
                             return std::holds_alternative<PaddingMask>(layer);
                         }) > 0;
        m_hidesBySomeNumber = given.value != kHidden;
        const Mask mask(fixed, 0, m_queries, m_keys, m_keys);
        for (Index row = 0; row < m_queries; ++row)
            for (Index key = 0; key < m_stride; ++key)
                m_mask.data()[row * m_stride + key] = key >= m_keys           ? kHidden
                                                      : mask.hidden(row, key) ? given.value
                                                                              : 0;
        std::fill_n(m_padding.data() + m_stride, m_stride, given.value);
    }
    /// Returns a row with zeros for the sequence's tokens, followed by the value for hidden scores.
    const float *paddingOf(const TrainingWorkspace &lane, Index i) const {
        if (!m_hidesPadding)
            return m_padding.data();
        const TokenRows &of = m_at.keysOfSource ? lane.batch->source : lane.batch->tokens;
        return m_padding.data() + m_stride - lane.length(of, i);
    }
    /// Clears the gradients of hidden scores if a finite value has replaced them.
    void keepHidden(const TrainingWorkspace &lane, Index i, float *gradient) const {
        const float *padding = paddingOf(lane, i);
        for (Index row = 0; row < m_queries; ++row)
            for (Index key = 0; key < m_stride; ++key)
                if (m_mask.data()[row * m_stride + key] != 0 || padding[key] != 0)
                    gradient[row * m_stride + key] = 0;
    }

    /// Writes the bias of all heads, divided by the temperature.
    void write(const AttentionBias &bias, MatrixView table, float *to) const {
        for (Index head = 0; head < heads(); ++head)
            distanceBias(bias.of, head, bias.table ? table.columnBlock(head, 1) : MatrixView(),
                         view(to + head * tile()));
        for (Index i = 0; i < heads() * tile(); ++i)
            to[i] /= m_at.temperature;
    }
    /// Returns the bias; null if there is none. A learned bias is computed into the second part of
    /// the scratch buffer.
    const float *biasOf(TrainingWorkspace &lane) const {
        if (!m_bias)
            return nullptr;
        if (!m_bias->table)
            return m_fixedBias.data();
        float *bias = lane.scratch.data() + padded(size()) * m_stride;
        std::fill_n(bias, heads() * tile(), 0.0f);
        const FlatParameter &table = *m_bias->table;
        write(*m_bias,
              {lane.parameters + table.offset, table.rows.count(), table.columns.count(),
               table.columns.stride()},
              bias);
        return bias;
    }
    void addToTable(TrainingWorkspace &lane, Index head, float *gradient) const {
        // The gradient includes the scale of the scores, but the bias is added after scaling.
        float *unscaled = gradient + tile();
        for (Index i = 0; i < tile(); ++i)
            unscaled[i] = gradient[i] / m_at.scale;
        const FlatParameter &table = *m_bias->table;
        const MutableMatrixView gradients{lane.parameterGradients + table.offset,
                                          table.rows.count(), table.columns.count(),
                                          table.columns.stride()};
        distanceBiasBackward(m_bias->of, view(unscaled), gradients.columnBlock(head, 1));
    }

    AttentionOffsets m_at;
    Index m_queries, m_keys, m_stride;
    AlignedNumbers m_mask;    ///< [T, padded S]
    AlignedNumbers m_padding; ///< zeros, then as many copies of the value for hidden scores
    bool m_hidesPadding = false;
    bool m_hidesBySomeNumber = false;
    std::optional<AttentionBias> m_bias;
    AlignedNumbers m_fixedBias; ///< [H, T, padded S]
};

} // namespace

Index attentionScratch(const AttentionOffsets &places) {
    const RowLayout &query = places.query.buffer.columns;
    const Index stride = padded(places.key.buffer.rows);
    const Index turned = padded(std::max(query.width, places.value.buffer.columns.width)) * stride;
    return turned + std::max(query.blocks, Index(2)) * places.query.buffer.rows * stride;
}

NodePointer attentionNode(const AttentionOffsets &places, const AttentionMask &mask,
                          const std::optional<AttentionBias> &bias) {
    return std::make_unique<AttentionNode>(places, mask, bias);
}

} // namespace headlight::core
