// The stages of a part of the model as a graph: the operands of each stage, and its column.
#pragma once

#include "ui/figures/parts/model_parts.h"

#include <cstddef>
#include <vector>

namespace headlight::ui {

struct WholeGraph {
    struct Stage {
        core::StageId at;
        /// The column, in a layout that places every stage to the right of its operands.
        std::size_t column = 0;
    };
    struct Link {
        core::StageId from, to;
    };
    std::vector<Stage> stages; ///< in computation order; stages of earlier parts first
    std::vector<Link> links;

    /// Returns the part's stages and their operands in earlier parts. The links follow the plan. A
    /// capture records no operands, so its stages are linked like those of the usual attention
    /// module.
    static WholeGraph of(const core::Trace &trace, const ModelParts &parts, const ModelPart &part);

    std::size_t columnCount() const;
    /// Returns the index of a stage, which must be in the graph.
    std::size_t indexOf(core::StageId at) const;
};

} // namespace headlight::ui
