// Builds the figure that the options of `figure` request.
#pragma once

#include "app/arguments.h"
#include "core/analysis/computed_heads.h"
#include "core/explain/gradients/backward_pass.h"
#include "core/training/run/recorded_run.h"
#include "ui/compare/compared.h"
#include "ui/figures/base/figure.h"

#include <memory>

namespace headlight::app {

using FigurePointer = std::unique_ptr<ui::Figure>;

/// Results that the figures of one call share, so that each is computed once.
struct ComputedOnce {
    core::ComputedHeads heads{};
    core::BackwardPassPointer backwardPass{}; ///< null: not yet computed
    core::RecordedRunPointer birth{};         ///< null: not yet recorded
    /// The trace with the details of the last figure. The next figure often needs the same details.
    core::TracePointer prepared{};
    core::AttentionId attention{};
};

/// True if the figure may show the Model view, which reads the attention weights of all layers.
bool mayShowModel(const Arguments &arguments, const ui::OpenedSource &opened);

/// Builds the figure. For a long input, computes the details that the figure shows. Errors: sides
/// that cannot be compared, a stage that the trace does not have, conflicting options.
core::Result<FigurePointer> figureOf(const Arguments &arguments, const ui::OpenedSource &opened,
                                     const core::TracePointer &trace, const ui::Compared &compared,
                                     ComputedOnce &once, const std::stop_token &stop);

/// Returns the data to embed in the figure: its session and the words. Empty if embedding is
/// disabled, or if nothing was computed from a session.
std::string carriedBy(const Arguments &arguments, const ui::OpenedSource &opened,
                      const core::TracePointer &trace);

} // namespace headlight::app
