// The matrices of a close-up: the result of a step and its operands, with the edges that they
// share, as defined by the step's operation.
#pragma once

#include "core/explain/meeting.h"
#include "core/selection/selected.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/figures/heatmap/parameter_heatmap.h"
#include "ui/figures/text/text.h"

#include <QCoreApplication>

#include <optional>
#include <vector>

namespace headlight::ui {

struct CloseUpPart {
    using Shares = core::MeetingMatrix::Shares;

    HeatmapContent content; ///< as it is drawn: a transposed matrix has its rows as columns
    Spans symbol;
    QString name;
    Shares shares = Shares::Cells;
    bool isTransposed = false;
    bool isSummed = false; ///< the result sums over the axis that it does not share
    std::optional<core::Rows> summedColumns; ///< set if only some are summed, as for an expert
    core::Index firstColumn = 0;             ///< column of the result above which it begins
    bool isBlock = false;            ///< shares only some columns: one of several joined heads
    std::optional<core::StageId> at; ///< its stage; none for a parameter or an intermediate result
    std::optional<core::Index> head; ///< its head, if it is not the selected one
    bool isOfHead = false;           ///< its numbers belong to the selected head, one of several
    std::optional<ParameterHeatmap> learned; ///< set for a parameter matrix
    std::optional<core::MatrixSize> whole;   ///< size of the whole matrix if only a part is shown
    bool isMask = false;                     ///< the mask M, whose numbers are 0 or −∞
    bool isSampled = false; ///< only evenly spaced numbers of a large parameter matrix

    /// Returns symbol, name and size; `detail` 1: without the name, 0: only the symbol.
    Spans title(int detail, const FigureStyle &style) const;
    /// True if it is above the result, false if it is to its left.
    bool isAbove() const { return shares == Shares::Columns; }
    core::Index rows() const { return content.matrix().rows; }
    core::Index columns() const { return content.matrix().columns; }
};

struct CloseUpParts {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::CloseUpParts)

  public:
    /// `current` is a selection at a stage that the trace has. Its matrix may not be computed yet.
    static CloseUpParts of(const core::TracePointer &trace, const core::Selection &current,
                           const FigureStyle &style, const FigureOptions &options,
                           HeatmapCache *kept);

    std::vector<CloseUpPart> left; ///< from left to right
    std::vector<CloseUpPart>
        above; ///< from top to bottom, except the heads, which are side by side
    CloseUpPart result;
    QString sign; ///< operator between the operands; empty if there is none
    /// The index of the largest term of the selected number's sum, or of the sums of the selected
    /// row; none if there is no sum.
    std::optional<core::Index> largestTerm;
    /// The column of the largest number in the selected row of the result, or in all rows; none if
    /// no row is selected and there are too many.
    std::optional<core::Index> largestColumn;
};

} // namespace headlight::ui
