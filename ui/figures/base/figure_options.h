// What can be chosen about a figure made from a trace, besides its style.
#pragma once

#include "core/analysis/head_measures.h"
#include "core/analysis/head_summary.h"
#include "core/explain/gradients/backward_pass.h"
#include "core/transformer/names/stage.h"
#include "ui/compare/compared.h"
#include "ui/figures/base/granularity.h"
#include "ui/figures/base/plane_options.h"
#include "ui/figures/colours/colour_scale.h"

#include <optional>

namespace headlight::ui {

struct FigureOptions {
    Range range = Range::Fixed;
    std::optional<core::HeadSummary> summary;         ///< of all heads, instead of one
    core::HeadOrder order = core::HeadOrder::ByIndex; ///< of the grid of heads
    /// The curves of every head in the training view; ByIndex: induction where it was measured,
    /// else the weight on the previous token.
    core::HeadOrder measure = core::HeadOrder::ByIndex;
    core::Stage contextual = core::Stage::Context; ///< compared with the embeddings: or Output
    /// Where the steps go by rows or cells, what comes after the selected one is not computed yet.
    Granularity granularity = Granularity::Stage;
    Compared compared;   ///< with side A, where there is one
    PlaneOptions plane;  ///< of the planes
    bool numbers = true; ///< in cells, once they fit
    bool learned = true; ///< the learned matrices stand in the flow
    bool lines = false;  ///< between the words, beside the flow's current matrix
    /// A flow that has no room shows the matrices that meet in the current stage, and no others.
    bool closeUp = false;
    /// Of words as numbers just that way of writing them.
    core::ShownEncoding writing = core::ShownEncoding::All;
    /// Of the shown trace: the gradients of its stages stand in their places. Null: the stages do.
    core::BackwardPassPointer backwardPass;
    QString title; ///< instead of the figure's own
    bool operator==(const FigureOptions &) const = default;
};

} // namespace headlight::ui
