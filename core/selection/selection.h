// A place in a trace: what a person looks at. There is one selection in a document, and every view
// shows it.
#pragma once

#include "core/transformer/names/stage.h"

#include <optional>

namespace headlight::core {

struct Selection {
    Index sequence = 0;
    Index layer = 0;
    Index head = 0;
    Stage stage = Stage::AttentionWeights;
    std::optional<Index> query;     ///< the row: the token that attends
    std::optional<Index> key;       ///< the token attended to
    std::optional<Index> dimension; ///< of a vector, where the stage's columns are no keys
    Block block = Block::SelfAttention;
    Stack stack = Stack::Main;
    /// The number's arithmetic stands large in the picture, where a view can show that: of a row
    /// its largest number's.
    bool opened = false;

    AttentionId attention() const { return {layer, block, stack}; }
    void setAttention(AttentionId attention) {
        layer = attention.layer;
        block = attention.block;
        stack = attention.stack;
    }
    bool operator==(const Selection &) const = default;
};

} // namespace headlight::core
