// How a lesson's step is looked at, besides where and in which view. What a step does not say is as
// it is here, whatever a person chose before: so nothing that was left on elsewhere hides what a
// step speaks of. What each choice means is for whoever paints it: see ui/figures.
#pragma once

#include "core/selection/view.h"

namespace headlight::core {

/// How far one step of the computation goes.
enum class Granularity { Stage, Row, Cell };

/// Which directions of a wide space a plane shows. Width 2 is always shown as it is. Neighbour
/// embeddings (t-SNE, UMAP) would be further entries here.
enum class PlaneAxes { Principal, DotProduct };

/// All planes side by side, or one of them.
enum class ShownSpaces { All, Residual, QueryKey, ValueContext };

/// Of words as numbers all ways of writing them side by side, or the one that is spoken of: that is
/// brought into sight, and before an audience it stands alone.
enum class ShownEncoding { All, OneHot, BagOfWords, TfIdf, Embeddings, Contextual };

struct ViewOptions {
    Granularity granularity = Granularity::Stage;
    PlaneAxes axes = PlaneAxes::Principal;
    ShownSpaces spaces = ShownSpaces::All;
    ShownEncoding writing = ShownEncoding::All;
    bool operator==(const ViewOptions &) const = default;
};

} // namespace headlight::core
