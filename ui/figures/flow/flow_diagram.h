// How a part of the model is drawn: in which column each stage stands, and which feeds which.
#pragma once

#include "ui/figures/flow/flow_parts.h"

#include <array>

namespace headlight::ui {

/// At most so many columns, from left to right; a part may leave some of them empty.
inline constexpr std::size_t kFlowColumns = 6;

struct FlowCell {
    core::StageId at;
    std::size_t column = 0;
    /// It does not follow from what stands above it: never side by side with it.
    bool parallel = false;
};

/// The way of an arrow past the columns between its ends.
enum class FlowRoute {
    Direct, ///< there are none
    Over,   ///< above them: what a block reads is added to what it makes
    Under,
};

struct FlowLink {
    core::StageId from, to;
    FlowRoute route = FlowRoute::Direct;
    double leave = 0.5; ///< where on the right of `from`: share of its height
    double arrive = 0.5;
};

struct FlowDiagram {
    std::vector<FlowCell> places; ///< of a column from top to bottom
    std::vector<FlowLink> links;

    /// `inputs` and `stages` as FlowParts gives them.
    static FlowDiagram of(const FlowPart &part, const std::vector<core::StageId> &inputs,
                          const std::vector<core::StageId> &stages);
    const FlowCell *place(core::StageId at) const &;
    const FlowCell *place(core::StageId at) const && = delete; // it would not outlive the diagram
    std::size_t columnCount() const;                           ///< that hold a stage
};

} // namespace headlight::ui
