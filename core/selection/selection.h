// The user's selection in a trace. A document has one selection, which all views share.
#pragma once

#include "core/transformer/names/stage.h"

#include <optional>

namespace headlight::core {

struct Selection {
    Index sequence = 0;
    Index layer = 0;
    Index head = 0;
    Stage stage = Stage::AttentionWeights;
    std::optional<Index> query{};     ///< the selected row: the attending token
    std::optional<Index> key{};       ///< the attended token
    std::optional<Index> dimension{}; ///< column of a vector, if the stage's columns are not keys
    /// Row or column of a stage whose rows or columns are distances.
    std::optional<Index> distance{};
    Block block = Block::SelfAttention;
    Stack stack = Stack::Main;
    /// Shows the arithmetic as a table, in views that support it. If only a row is selected, it
    /// explains the row's largest value.
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
