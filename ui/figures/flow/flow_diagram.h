// The diagram of a part of the model: the column of each stage, and the links between stages.
#pragma once

#include "ui/figures/parts/model_parts.h"

#include <array>

namespace headlight::ui {

/// Maximum number of columns, left to right. A part may leave some empty.
inline constexpr std::size_t kFlowColumns = 6;

struct FlowCell {
    core::StageId at;
    std::size_t column = 0;
    /// True if the stage does not depend on the one above it, so the two are never side by side.
    bool parallel = false;
};

/// An arrow's route around the columns between its ends.
enum class FlowRoute {
    Direct, ///< no columns in between
    Over,   ///< above them, such as a residual connection
    Under,
};

struct FlowLink {
    core::StageId from, to;
    FlowRoute route = FlowRoute::Direct;
    double leave = 0.5; ///< start on the right edge of `from`, relative to its height
    double arrive = 0.5;
};

struct FlowDiagram {
    std::vector<FlowCell> places; ///< top to bottom within a column
    std::vector<FlowLink> links;

    /// `inputs` and `stages`: as returned by ModelParts.
    static FlowDiagram of(const ModelPart &part, const std::vector<core::StageId> &inputs,
                          const std::vector<core::StageId> &stages);
    const FlowCell *place(core::StageId at) const &;
    const FlowCell *place(core::StageId at) const && = delete; // would dangle
    std::size_t columnCount() const;                           ///< number of columns with a stage
};

} // namespace headlight::ui
