// A session to begin with: a text or two, and a model of a chosen kind with random numbers.
#pragma once

#include "ui/document/source.h"

#include <array>

namespace headlight::ui {

enum class NewKind {
    AttentionOnly,
    Encoder,        ///< every token sees all others
    Decoder,        ///< causal, and predicts the next word
    EncoderDecoder, ///< an encoder reads a source text, a decoder writes the target
    CrossAttention, ///< two sequences, of which one looks at the other; nothing else
};
inline constexpr std::array kNewKinds{NewKind::AttentionOnly, NewKind::Encoder, NewKind::Decoder,
                                      NewKind::EncoderDecoder, NewKind::CrossAttention};

/// Residual connections, norms and feed-forward networks, and not attention alone.
constexpr bool hasBlocks(NewKind kind) {
    return kind != NewKind::AttentionOnly && kind != NewKind::CrossAttention;
}
constexpr bool hasSource(NewKind kind) {
    return kind == NewKind::EncoderDecoder || kind == NewKind::CrossAttention;
}
constexpr bool hasSelfAttention(NewKind kind) {
    return kind != NewKind::CrossAttention;
}
/// It has a vocabulary, logits and probabilities.
constexpr bool writesWords(NewKind kind) {
    return kind == NewKind::Decoder || kind == NewKind::EncoderDecoder;
}

/// Turned, or added to the scores, in every self-attention; else added to the embeddings.
constexpr bool isOfSelfAttention(core::Positions positions) {
    return positions == core::Positions::Rotary || positions == core::Positions::Alibi ||
           positions == core::Positions::Relative;
}

struct NewSession {
    NewKind kind = NewKind::AttentionOnly;
    QString text{};       ///< that attends; of an encoder-decoder the decoder's
    QString sourceText{}; ///< where hasSource(): that is attended to
    int width = 16;       ///< C; divided evenly among the heads
    int heads = 2;
    int keyValueHeads = 0; ///< a divisor of them; 0: as many
    int valueSize = 0;     ///< d_v; 0: width ÷ heads, as queries and keys
    int layers = 1;        ///< of an encoder-decoder: as many of each
    core::Positions positions = core::Positions::None;
    QString slopes{};  ///< ALiBi: a number for each head, as typed; empty: the usual ones
    QString windows{}; ///< where hasSelfAttention(): Config::windows as typed
    quint64 seed = 1;  ///< of all random numbers, at most 2⁵³ − 10 000
    // Where hasBlocks():
    bool residual = false;
    core::NormKind norm = core::NormKind::None;
    core::NormPosition normPlace = core::NormPosition::Before;
    core::QueryKeyNorm queryKeyNorm = core::QueryKeyNorm::None;
    bool parallel = false;
    bool sharedNorm = false; ///< where parallel
    core::FeedForward feedForward{};
    // And everywhere:
    core::Softcap scoreCap{};
    core::Softcap logitCap{}; ///< where writesWords()
    // Of an encoder-decoder's encoder; 0: as the decoder.
    int encoderHeads = 0; ///< that the width is divided among
    int encoderFeedForward = 0;
    bool operator==(const NewSession &) const = default;
};

/// What is usual for the kind; without a text.
NewSession usualSession(NewKind kind);

/// More numbers than this are refused: random ones teach nothing more.
inline constexpr core::Index kMostNewNumbers = core::Index(1) << 23;

/// Errors: a text without a word ("text", "source"), a width that the heads do not divide
/// ("model.width"), what core::validate() says, more than can be computed.
core::Result<OpenedSource> makeSession(const NewSession &wanted);

} // namespace headlight::ui
