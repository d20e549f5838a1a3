// Display options of a lesson step. Options that a step does not set have the defaults below,
// whatever the user has chosen before, so that the step's explanation is always visible. See
// ui/figures for the meaning of each option.
#pragma once

#include "core/selection/view.h"

namespace headlight::core {

/// The size of one step through the computation.
enum class Granularity { Stage, Row, Cell };

/// Axes of the plane through a high-dimensional space. Two-dimensional spaces are shown directly.
enum class PlaneAxes { Principal, DotProduct };

/// The planes to show: all side by side, or one of them.
enum class ShownSpaces { All, Residual, QueryKey, ValueContext };

/// The text encoding that a step explains, or all. The view shows only the card of this encoding.
enum class ShownEncoding { All, OneHot, BagOfWords, TfIdf, Embeddings, Contextual };

struct ViewOptions {
    Granularity granularity = Granularity::Stage;
    PlaneAxes axes = PlaneAxes::Principal;
    ShownSpaces spaces = ShownSpaces::All;
    ShownEncoding writing = ShownEncoding::All;
    bool operator==(const ViewOptions &) const = default;
};

} // namespace headlight::core
