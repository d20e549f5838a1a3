// Options of the Lines view: the heads that have lines, and the smallest weight with a line. The
// Heads view combines the same heads.
#pragma once

#include "core/tensor/shape.h"

#include <vector>

namespace headlight::ui {

/// The heads that the Lines view draws, by default the selected head. The Heads view combines these
/// heads, by default all.
struct LineHeads {
    bool all = false;
    std::vector<core::Index> heads{}; ///< in ascending order; empty: the selected head
    bool operator==(const LineHeads &) const = default;

    /// Returns the heads of a layer with `count` heads, in ascending order.
    std::vector<core::Index> of(core::Index count, core::Index selected) const;
};

inline constexpr double kUsualLineThreshold = 0.05;

struct HeadLines {
    LineHeads heads{};
    double threshold = kUsualLineThreshold; ///< smallest weight that has a line, 0 … 1
    bool operator==(const HeadLines &) const = default;
};

inline std::vector<core::Index> LineHeads::of(core::Index count, core::Index selected) const {
    std::vector<core::Index> shown;
    for (core::Index head = 0; all && head < count; ++head)
        shown.push_back(head);
    for (const core::Index head : heads)
        if (!all && head < count)
            shown.push_back(head);
    if (shown.empty() && selected < count)
        shown.push_back(selected);
    return shown;
}

} // namespace headlight::ui
