// Which attention of a model: its stack, its layer, and whether it looks at its own sequence or at
// another one.
#pragma once

#include "core/tensor/matrix.h"

#include <compare>
#include <string_view>

namespace headlight::core {

enum class Stack {
    Main,             ///< the model has one
    Encoder,          ///< of an encoder-decoder
    Decoder,          ///< the same
    SourceEmbeddings, ///< a second sequence that no encoder reads: embeddings without a layer
};

enum class Block { SelfAttention, CrossAttention };

struct AttentionId {
    // NOLINTNEXTLINE: most models have one stack, and its self-attention is what is meant
    constexpr AttentionId(Index inLayer = 0, Block inBlock = Block::SelfAttention,
                          Stack inStack = Stack::Main)
        : layer(inLayer), block(inBlock), stack(inStack) {}

    Index layer;
    Block block;
    Stack stack;
    auto operator<=>(const AttentionId &) const = default;
};

/// Before every name of the stack's stages: "", "encoder.", "decoder.", "source.".
std::string_view prefixOf(Stack stack);
/// "self_attention", "cross_attention".
std::string_view nameOf(Block block);
/// As files and the command line write them: "self", "cross".
std::string_view wordOf(Block block);
/// "only", "encoder", "decoder", "source".
std::string_view wordOf(Stack stack);

} // namespace headlight::core
