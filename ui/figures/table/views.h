// The table of views: what each of them is called and for, what can be chosen about it, what it can
// show, and how its figure is made. Tabs, sessions, the command line, Save figure and the bars over
// a view read it; how mouse and keys move in a view is its widget's part (ui/views).
#pragma once

#include "core/result.h"
#include "core/selection/view.h"
#include "core/training/run/training_run.h"
#include "ui/figures/base/figure.h"
#include "ui/figures/base/figure_options.h"
#include "ui/figures/base/style.h"
#include "ui/figures/geometry/geometry_figure.h"
#include "ui/figures/output/output_content.h"
#include "ui/figures/softmax/softmax_content.h"

#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

namespace headlight::ui {

class HeatmapCache;

/// What a figure is made from. Of what, if anything, it is compared with, the options know.
struct FigureInput {
    core::TracePointer trace;
    core::Selection selection{};
    FigureStyle style{};
    FigureOptions options{};
    HeatmapCache *kept = nullptr;        ///< of the figures that the same view showed before
    PinnedPlanes held{};                 ///< the directions of planes that are to stay
    std::optional<GivenOutput> output{}; ///< logits that were made elsewhere; else they are read
    core::TrainingRunPointer training{}; ///< the run that the weights are of; null: there is none
    core::SoftmaxLook softmax{};
    GivenSoftmax givenSoftmax{};
};

/// What of the options and colours a view uses.
enum class Choice {
    Range,
    Colours,
    HeadOrder,
    Measure, ///< of the heads, as curves
    Contextual,
    Granularity,
    Learned,
    Arithmetic, ///< that of the selected number can be opened: see core::Selection
    Lines,
    BackwardPass, ///< gradients in place of the numbers, from the loss back
    Planes,
    Softmax, ///< of which row, or how many components
    Summary
};

struct ViewInfo {
    core::View view;
    const char *title;   ///< of its tab; translated by titleOf()
    const char *purpose; ///< in a sentence; translated by purposeOf()
    std::vector<Choice> choices;
    bool showsSelectedStage; ///< large, or what stands for it; else what its own choices say
    bool showsDifference;    ///< of two runs
    bool hasMask;            ///< its cells are what a mask hides
    bool isTable;            ///< to a screen reader; else its description says what it shows

    /// A figure that says why, where there is nothing to be seen.
    std::unique_ptr<Figure> (*makeFigure)(const FigureInput &input);
    /// The selection at the stage that the view shows large for it.
    core::Selection (*shown)(const core::Trace &trace, const core::Selection &selection);
    /// The stage whose name stands in a caption.
    core::Stage (*captioned)(const core::Trace &trace, const core::Selection &selection,
                             const FigureOptions &options);
    /// By whose colours the numbers are painted that the view shows for the stage; none: of both
    /// kinds.
    std::optional<core::Role> (*role)(const core::Trace &trace, core::Stage stage);
    /// Why the view cannot show this trace, or not at this place; of side A, A's.
    core::Outcome (*canShow)(const FigureInput &input);
    /// Why it cannot show the side of a comparison that is to be shown. Its figure says so.
    WhyNot (*whyNotCompared)(const FigureInput &input);
    /// Why there is nothing in the figure that was made of the input; empty: there is something.
    QString (*nothingIn)(const Figure &figure);

    QString whyEmpty(const FigureInput &input, const Figure &figure) const;

    bool has(Choice choice) const;
};

/// All views, in the order of their tabs.
std::span<const ViewInfo> allViews();
const ViewInfo &infoOf(core::View view);
/// Null: there is no such view.
const ViewInfo *findView(const QString &id);
/// As sessions, settings and the command line write it.
QString idOf(const ViewInfo &info);
QString titleOf(const ViewInfo &info);
QString purposeOf(const ViewInfo &info);
/// It is a tab of the window, where a session can ask for it.
bool isTab(const ViewInfo &info);

/// The options without those that the view has no choice of.
FigureOptions chosenFor(const ViewInfo &info, FigureOptions options);

} // namespace headlight::ui
