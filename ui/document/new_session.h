// New sessions: one or two texts and a model of a chosen kind with random parameters.
#pragma once

#include "core/formats/fields/field_table.h"
#include "core/formats/fields/words.h"
#include "ui/document/source.h"

#include <array>

namespace headlight::ui {

enum class NewKind {
    AttentionOnly,
    Encoder,        ///< every token attends to all others
    Decoder,        ///< causal; predicts the next token
    EncoderDecoder, ///< an encoder reads a source text, a decoder writes the target
    CrossAttention, ///< one sequence attends to another; no other attention
};
inline constexpr std::array kNewKinds{NewKind::AttentionOnly, NewKind::Encoder, NewKind::Decoder,
                                      NewKind::EncoderDecoder, NewKind::CrossAttention};

/// True if the model has residual connections, norms and feed-forward networks besides attention.
constexpr bool hasBlocks(NewKind kind) {
    return kind != NewKind::AttentionOnly && kind != NewKind::CrossAttention;
}
constexpr bool hasSource(NewKind kind) {
    return kind == NewKind::EncoderDecoder || kind == NewKind::CrossAttention;
}
constexpr bool hasSelfAttention(NewKind kind) {
    return kind != NewKind::CrossAttention;
}
/// True if the model has a vocabulary, logits and probabilities.
constexpr bool writesWords(NewKind kind) {
    return kind == NewKind::Decoder || kind == NewKind::EncoderDecoder;
}

struct NewSession {
    NewKind kind = NewKind::AttentionOnly;
    QString text{};         ///< the attending text; for an encoder-decoder, the decoder's
    QString sourceText{};   ///< text attended to, if hasSource()
    core::Index width = 16; ///< C; divided evenly among the heads
    core::Index heads = 2;
    core::Index keyValueHeads = 0; ///< must divide `heads`; 0: same as heads
    core::Index valueSize = 0;     ///< d_v; 0: width ÷ heads, like queries and keys
    core::Index layers = 1;        ///< for an encoder-decoder: layers of each stack
    core::Positions positions = core::Positions::None;
    QString slopes{};       ///< ALiBi: one number per head, as typed; empty: default slopes
    QString windows{};      ///< if hasSelfAttention(): Config::windows, as typed
    std::uint64_t seed = 1; ///< for all random numbers; at most 2⁵³ − 10 000
    // If hasBlocks():
    bool residual = false;
    core::NormKind norm = core::NormKind::None;
    core::NormPosition normPlace = core::NormPosition::Before;
    core::QueryKeyNorm queryKeyNorm = core::QueryKeyNorm::None;
    bool parallel = false;
    bool sharedNorm = false; ///< used if `parallel` is true
    core::FeedForward feedForward{};
    // For all kinds:
    core::Softcap scoreCap{};
    core::Softcap logitCap{}; ///< used if writesWords()
    // For the encoder of an encoder-decoder; 0: same as the decoder.
    core::Index encoderHeads = 0; ///< must divide the width
    core::Index encoderFeedForward = 0;
    bool operator==(const NewSession &) const = default;
};

/// Returns the defaults of a kind, without a text.
NewSession usualSession(NewKind kind);

/// Limit for new models. Larger random models would not show anything new.
inline constexpr core::Index kMaxNewNumbers = core::Index(1) << 23;

/// Errors: a text without a word ("text", "source"), a width that the heads do not divide
/// ("model.width"), errors of core::validate(), a model too large to compute.
core::Result<OpenedSource> makeSession(const NewSession &wanted);

} // namespace headlight::ui

template <>
struct headlight::core::Words<headlight::ui::NewKind> {
    static constexpr std::string_view all[] = {"attention-only", "encoder", "decoder",
                                               "encoder-decoder", "cross-attention"};
};

/// The fields that a form shows and remembers: all except the kind and the texts.
template <>
const headlight::core::FieldTable<headlight::ui::NewSession> &
headlight::core::Fields<headlight::ui::NewSession>::table();
