// A place in a trace: what a person looks at. There is one selection in a document, and every view
// shows it.
#pragma once

#include "core/transformer/trace/stage.h"

#include <optional>

namespace headlight::core {

struct Selection {
    Index sequence = 0;
    Index layer = 0;
    Index head = 0;
    Stage stage = Stage::Weights;
    std::optional<Index> query;     ///< the row: the token that attends
    std::optional<Index> key;       ///< the token attended to
    std::optional<Index> dimension; ///< of a vector, where the stage's columns are no keys
    Block block = Block::SelfAttention;
    Stack stack = Stack::Only;
    /// The number's arithmetic stands large in the picture, where a view can show that: of a row
    /// its largest number's.
    bool opened = false;

    Site site() const { return {layer, block, stack}; }
    void setSite(Site site) {
        layer = site.layer;
        block = site.block;
        stack = site.stack;
    }
    bool operator==(const Selection &) const = default;
};

} // namespace headlight::core
