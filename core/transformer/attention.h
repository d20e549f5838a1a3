// The self-attention of one layer, stage by stage and head by head.
#pragma once

#include "core/transformer/stage_recorder.h"

namespace headlight::core {

/// Up to this many numbers the heads' own outputs are kept, so that the product with W_O is done
/// anew only for the heads that changed. Beyond it the product is done in one piece.
inline constexpr Index kMaximumHeadOutputs = Index(1) << 22;

class Attention {
  public:
    using Masks = std::shared_ptr<const std::vector<Mask>>;

    /// All must live as long as this.
    Attention(StageRecorder &recorder, const Model &model, const Input &input, const Masks &masks,
              Index layer);

    /// From what the layer reads, [B, T, C], to what it gives: [B, T, C] with W_O, else the
    /// concatenated heads [B, T, H·d].
    Computed run(const Computed &input);

  private:
    Computed project(Stage which, const Computed &input, Parameter AttentionWeights::*weight,
                     Parameter AttentionWeights::*bias);
    Computed score(const Computed &query, const Computed &key);
    /// From scores to weights, in the order that the config asks for.
    Computed weigh(const Computed &scores);
    Computed mask(const Computed &scaled);
    Computed unmaskedWeights(const Computed &scaled);
    Computed weights(const Computed &maskedOrUnmasked);
    Computed attend(const Computed &weights, const Computed &value);
    Computed concatenate(const Computed &context);
    Computed output(const Computed &context, const Computed &concatenated);
    Computed sumOfHeads(const Computed &context);

    /// One row of scores to weights: softmax, or without it the scores ÷ temperature.
    void weighRow(std::span<const float> scores, std::span<float> weights) const;

    HeadState stateOf(Index head) const { return m_input.interventions.stateOf(m_layer, head); }
    HeadState stateBefore(Index head) const {
        return m_previous->input().interventions.stateOf(m_layer, head);
    }
    bool isSameMask(Index sequence) const;
    const Mask &maskOf(Index sequence) const {
        return (*m_masks)[static_cast<std::size_t>(sequence)];
    }
    const Parameter &before(Parameter AttentionWeights::*member) const;

    StageRecorder &m_recorder;
    const Model &m_model;
    const Config &m_config;
    const Input &m_input;
    const Masks &m_masks;
    Index m_layer;
    const AttentionWeights &m_weights;
    const Trace *m_previous; ///< null too where it does not have the layer
};

} // namespace headlight::core
