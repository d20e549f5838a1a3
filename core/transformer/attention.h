// The attention of one site, stage by stage and head by head.
#pragma once

#include "core/transformer/pass.h"

#include <optional>

namespace headlight::core {

/// Up to this many numbers the heads' own outputs are kept, so that the product with W_O is done
/// anew only for the heads that changed. Beyond it the product is done in one piece.
inline constexpr Index kMaximumHeadOutputs = Index(1) << 22;

class Attention {
  public:
    /// The pass must live as long as this, and this as long as what is virtual of its stages.
    Attention(const Pass &pass, Site site);

    /// From what the queries are made of, [B, T, C], and what keys and values are made of,
    /// [B, S, C], to what the attention gives: [B, T, C] with W_O, else the concatenated heads
    /// [B, T, H·d].
    Computed run(const Computed &input, const Computed &memory);

  private:
    using Weight = Parameter AttentionWeights::*;

    Computed project(Stage which, const Computed &input, Weight weight, Weight bias, Index heads);
    /// Rotary positions.
    Computed rotated(Stage which, const Computed &from);
    Computed score(const Computed &query, const Computed &key);
    /// From scores to weights, in the order that the config asks for.
    Computed weigh(const Computed &scores);
    Computed addPositions(const Computed &scaled);
    Computed positionBias(const Shape &scores);
    Computed mask(const Computed &scores);
    Computed unmaskedWeights(const Computed &scores);
    Computed weights(const Computed &maskedOrUnmasked);
    Computed attend(const Computed &weights, const Computed &value);
    Computed concatenate(const Computed &context);
    Computed output(const Computed &context, const Computed &concatenated);
    Computed sumOfHeads(const Computed &context);

    /// One row of scores to weights: softmax, or without it the scores ÷ temperature.
    void weighRow(std::span<const float> scores, std::span<float> weights) const;

    bool isSelf() const { return m_site.block == Block::SelfAttention; }
    Index groupOf(Index head) const { return m_config.groupOf(head); }
    HeadState stateOf(Index head) const { return m_input.interventions.stateOf(m_site, head); }
    HeadState stateBefore(Index head) const {
        return m_previous->input().interventions.stateOf(m_site, head);
    }
    bool isSameMask(Index sequence) const;
    const Mask &maskOf(Index sequence) const {
        return (*m_masks)[static_cast<std::size_t>(sequence)];
    }

    StageRecorder &m_recorder;
    const Config &m_config;
    const Input &m_input;
    const TraceMasks::List &m_masks;
    Site m_site;
    const AttentionWeights &m_weights;
    const Parameter &m_positionBias;
    const Trace *m_previous; ///< null too where it does not have this attention
    const AttentionWeights &m_before;
};

} // namespace headlight::core
