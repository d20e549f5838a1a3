// Identifies an attention module by stack, layer, and self- or cross-attention.
#pragma once

#include "core/tensor/matrix.h"

#include <compare>
#include <string_view>

namespace headlight::core {

enum class Stack {
    Main,             ///< the only stack of a model without an encoder
    Encoder,          ///< the encoder of an encoder-decoder
    Decoder,          ///< the decoder of an encoder-decoder
    SourceEmbeddings, ///< embeddings of a second sequence, without an encoder or layers
};

enum class Block { SelfAttention, CrossAttention };

struct AttentionId {
    // NOLINTNEXTLINE: implicit, because most callers mean the self-attention of the only stack
    constexpr AttentionId(Index inLayer = 0, Block inBlock = Block::SelfAttention,
                          Stack inStack = Stack::Main)
        : layer(inLayer), block(inBlock), stack(inStack) {}

    Index layer;
    Block block;
    Stack stack;
    auto operator<=>(const AttentionId &) const = default;
};

/// Returns the same id for both attention modules of a layer: the id of its self-attention.
constexpr AttentionId layerOf(AttentionId attention) {
    return {attention.layer, Block::SelfAttention, attention.stack};
}

/// Returns the prefix of the stack's stage names: "", "encoder.", "decoder." or "source.".
std::string_view prefixOf(Stack stack);
/// Returns "self_attention" or "cross_attention".
std::string_view nameOf(Block block);
/// Returns the name used in files and on the command line: "self" or "cross".
std::string_view wordOf(Block block);
/// Returns "only", "encoder", "decoder" or "source".
std::string_view wordOf(Stack stack);

} // namespace headlight::core
