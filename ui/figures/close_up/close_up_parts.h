// The matrices of a close-up: the result of a step and its operands. The step's operation
// determines which edges they share.
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

    HeatmapContent content; ///< as drawn: a transposed matrix has its rows as columns
    Spans symbol;
    QString name;
    Shares shares = Shares::Cells;
    bool isTransposed = false;
    bool isSummed = false; ///< the result sums over the axis that it does not share
    std::optional<core::Rows> summedColumns; ///< set if only some are summed, as for an expert
    core::Index firstColumn = 0;             ///< column of the result above which the part begins
    bool isBlock = false;            ///< shares only some columns: one of several joined heads
    std::optional<core::StageId> at; ///< unset for a parameter or an intermediate result
    std::optional<core::Index> head; ///< head of the part, if not the selected one
    bool isOfHead = false;           ///< the numbers belong to the selected head, one of several
    std::optional<ParameterHeatmap> learned; ///< set for a parameter matrix
    std::optional<core::MatrixSize> whole;   ///< size of the whole matrix if only a part is shown
    bool isMask = false;                     ///< the mask M, whose numbers are 0 or −∞
    bool isSampled = false; ///< has only evenly spaced numbers of a large parameter matrix

    /// Returns the symbol, the name and the size. Omits the name if `detail` is 1, and also the
    /// size if it is 0.
    Spans title(int detail, const FigureStyle &style) const;
    /// True if the part is above the result, false if it is to the left of the result.
    bool isAbove() const { return shares == Shares::Columns; }
    core::Index rows() const { return content.matrix().rows; }
    core::Index columns() const { return content.matrix().columns; }
};

struct CloseUpParts {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::CloseUpParts)

  public:
    /// `current` must be at a stage that the trace has. The stage may not be computed yet.
    static CloseUpParts of(const core::TracePointer &trace, const core::Selection &current,
                           const FigureStyle &style, const FigureOptions &options,
                           HeatmapCache *kept);

    std::vector<CloseUpPart> left;  ///< from left to right
    std::vector<CloseUpPart> above; ///< from top to bottom; joined heads are side by side
    CloseUpPart result;
    QString sign; ///< operator between the operands; empty if there is none
    /// The index of the largest term in the sum of the selected number, or in the sums of the
    /// selected row. Unset if there is no sum.
    std::optional<core::Index> largestTerm;
    /// The column of the largest number in the selected row of the result, or in all rows. Unset if
    /// no row is selected and there are too many.
    std::optional<core::Index> largestColumn;
};

} // namespace headlight::ui
