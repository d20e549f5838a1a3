#include "core/transformer/names/attention_id.h"

namespace headlight::core {

std::string_view prefixOf(Stack stack) {
    switch (stack) {
    case Stack::Main:
        break;
    case Stack::Encoder:
        return "encoder.";
    case Stack::Decoder:
        return "decoder.";
    case Stack::SourceEmbeddings:
        return "source.";
    }
    return "";
}

std::string_view nameOf(Block block) {
    return block == Block::SelfAttention ? "self_attention" : "cross_attention";
}

std::string_view wordOf(Block block) {
    return block == Block::SelfAttention ? "self" : "cross";
}

std::string_view wordOf(Stack stack) {
    const std::string_view prefix = prefixOf(stack);
    return prefix.empty() ? "only" : prefix.substr(0, prefix.size() - 1);
}

} // namespace headlight::core
