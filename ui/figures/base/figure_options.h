// Options of a figure made from a trace, apart from its style.
#pragma once

#include "core/analysis/head_measures.h"
#include "core/analysis/head_summary.h"
#include "core/explain/gradients/backward_pass.h"
#include "core/transformer/names/stage.h"
#include "ui/compare/compared.h"
#include "ui/figures/base/granularity.h"
#include "ui/figures/base/head_combination.h"
#include "ui/figures/base/head_lines.h"
#include "ui/figures/base/plane_options.h"
#include "ui/figures/colours/colour_scale.h"

#include <optional>

namespace headlight::ui {

struct FigureOptions {
    Range range = Range::Fixed;
    Scaling scaling = Scaling::Linear;
    BlockNumber blocks = BlockNumber::Largest;        ///< shown by a pixel with several cells
    std::optional<core::HeadSummary> summary;         ///< summary of all heads instead of one head
    core::HeadOrder order = core::HeadOrder::ByIndex; ///< order of the grid of heads
    /// The measure that the training view plots for every head. ByIndex: the induction measure if
    /// available, otherwise the weight on the previous token.
    core::HeadOrder measure = core::HeadOrder::ByIndex;
    core::Stage contextual = core::Stage::Context; ///< Context or Output; compared with embeddings
    /// If the granularity is finer than a stage, everything after the selection is shown as not
    /// computed yet.
    Granularity granularity = Granularity::Stage;
    Compared compared; ///< comparison with side A, if any
    PlaneOptions plane;
    bool numbers = true; ///< numbers in cells that are large enough
    bool learned = true; ///< parameter matrices are shown
    bool lines = false;  ///< attention lines beside the result of a close-up
    /// If true, a figure with too little space shows only the surroundings of the selection.
    bool closeUp = false;
    /// The text encodings shown in the words view.
    core::ShownEncoding writing = core::ShownEncoding::All;
    /// Gradients of the shown trace, which replace its stages. If null, the stages are shown.
    core::BackwardPassPointer backwardPass;
    QString title; ///< replaces the figure's default title
    HeadLines headLines;
    HeadCombination combination;
    bool operator==(const FigureOptions &) const = default;
};

} // namespace headlight::ui
