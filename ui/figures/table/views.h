// The table of views: names, purposes, options, capabilities and functions that create figures. It
// is used by the tabs, sessions, the command line, Save figure and the bars above a view. Mouse and
// keyboard handling is in the view's widget (ui/views).
#pragma once

#include "core/result.h"
#include "core/selection/view.h"
#include "core/training/run/training_run.h"
#include "ui/figures/base/figure.h"
#include "ui/figures/base/figure_options.h"
#include "ui/figures/base/style.h"
#include "ui/figures/geometry/geometry_figure.h"
#include "ui/figures/heads/combined_heads.h"
#include "ui/figures/model/model_figure.h"
#include "ui/figures/output/output_content.h"
#include "ui/figures/softmax/softmax_content.h"

#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

namespace headlight::core {
struct RecordedRun;
}

namespace headlight::ui {

class HeatmapCache;

/// The complete input of a figure. `options` contains the other side of a comparison, if any.
struct FigureInput {
    core::TracePointer trace;
    core::Selection selection{};
    FigureStyle style{};
    FigureOptions options{};
    HeatmapCache *kept = nullptr; ///< cache shared with earlier figures of the same view
    PinnedPlanes held{};          ///< pinned plane directions
    std::optional<GivenOutput>
        output{}; ///< logits computed by the caller; if unset, they are read from the trace
    core::TrainingRunPointer training{}; ///< run that trained the parameters; null if there is none
    core::SoftmaxLook softmax{};
    GivenSoftmax givenSoftmax{};
    std::shared_ptr<const core::RecordedRun> birth{}; ///< the recorded run; null if there is none
    ModelLook model{};
    GivenCombination combined{};
    std::optional<GivenHeadChanges> headChanges{}; ///< if unset, the figure compares the heads
};

/// The options and colours that a view uses.
enum class Choice {
    Range, ///< the range, and how its values are spread over the colours
    Colours,
    HeadOrder,
    Measure, ///< measure of the heads that is plotted as curves
    Contextual,
    Granularity,
    Learned,
    Arithmetic, ///< expanded arithmetic of the selected number; see core::Selection
    Lines,
    BackwardPass, ///< gradients instead of the values
    Planes,
    Softmax, ///< row or sample settings of the softmax view
    Summary,
    ChosenHeads, ///< the heads whose lines are drawn, or that are combined
    HeadLines,   ///< threshold of the lines
    Combination, ///< heads combined into one matrix
    Blocks       ///< number shown by a pixel with several cells
};

struct ViewInfo {
    core::View view;
    const char *title;   ///< tab title; translated by titleOf()
    const char *purpose; ///< one sentence; translated by purposeOf()
    std::vector<Choice> choices;
    /// True if the view enlarges the selected stage or a replacement. Otherwise the view's options
    /// determine the stage.
    bool showsSelectedStage;
    bool showsDifference; ///< can show the difference between two runs
    bool hasMask;         ///< has cells that can be masked
    bool isTable;         ///< screen readers get a table; otherwise they read the description

    /// Creates the figure. If there is nothing to show, the figure states the reason.
    std::unique_ptr<Figure> (*makeFigure)(const FigureInput &input);
    /// Returns the selection, moved to the stage that the view enlarges.
    core::Selection (*shown)(const core::Trace &trace, const core::Selection &selection);
    /// Returns the stage named in the caption.
    core::Stage (*captioned)(const core::Trace &trace, const core::Selection &selection,
                             const FigureOptions &options);
    /// Returns the role whose colours the view uses for the stage. Unset if it uses both colour
    /// maps.
    std::optional<core::Role> (*role)(const core::Trace &trace, core::Stage stage);
    /// Returns an error if the view cannot show the trace or the selection. Checks A's trace if
    /// side A is shown.
    core::Outcome (*canShow)(const FigureInput &input);
    /// Returns why the selected side of a comparison cannot be shown. The figure shows the reason.
    UnavailableReason (*comparisonUnavailableReason)(const FigureInput &input);
    /// Returns why a figure created from the input is empty. Empty if it is not.
    QString (*nothingIn)(const Figure &figure);

    QString whyEmpty(const FigureInput &input, const Figure &figure) const;

    bool has(Choice choice) const;
};

/// Returns all views in tab order.
std::span<const ViewInfo> allViews();
const ViewInfo &infoOf(core::View view);
/// Returns null for an unknown id.
const ViewInfo *findView(const QString &id);
/// Returns the id used in sessions, settings and on the command line.
QString idOf(const ViewInfo &info);
QString titleOf(const ViewInfo &info);
QString purposeOf(const ViewInfo &info);
/// True if the view is a tab of the window that a session can select.
bool isTab(const ViewInfo &info);

/// True if the view shows the session's text. If so, the words are shown above the view.
inline bool showsText(core::View view) {
    return view != core::View::Training && view != core::View::Birth;
}

/// Resets the options that the view does not offer.
FigureOptions chosenFor(const ViewInfo &info, FigureOptions options);

} // namespace headlight::ui
