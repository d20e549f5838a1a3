// Display options of a lesson step. Options that a step does not set have the defaults below,
// regardless of the user's earlier choices, so that nothing hides what the step explains. See
// ui/figures for the meaning of each option.
#pragma once

#include "core/selection/view.h"

namespace headlight::core {

/// How far one step of the computation goes.
enum class Granularity { Stage, Row, Cell };

/// Axes of the plane through a high-dimensional space. Spaces with two dimensions are shown as they
/// are. Neighbour embeddings (t-SNE, UMAP) would be further values.
enum class PlaneAxes { Principal, DotProduct };

/// The planes shown: all side by side, or one of them.
enum class ShownSpaces { All, Residual, QueryKey, ValueContext };

/// The text encoding that a step explains, or all. The view shows the card of this encoding and
/// leaves out the others.
enum class ShownEncoding { All, OneHot, BagOfWords, TfIdf, Embeddings, Contextual };

struct ViewOptions {
    Granularity granularity = Granularity::Stage;
    PlaneAxes axes = PlaneAxes::Principal;
    ShownSpaces spaces = ShownSpaces::All;
    ShownEncoding writing = ShownEncoding::All;
    bool operator==(const ViewOptions &) const = default;
};

} // namespace headlight::core
