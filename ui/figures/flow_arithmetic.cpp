#include "ui/figures/flow_arithmetic.h"

#include "ui/figures/cell_place.h"
#include "ui/figures/flow_arithmetic_parts.h"
#include "ui/figures/trace_heatmap.h"

namespace headlight::ui {

Spans arithmeticOf(const core::Trace &trace, const core::Selection &selection,
                   const FigureStyle &style) {
    const core::SharedMatrix own = matrixOf(trace, selection);
    const auto row = rowOf(selection);
    if (!row || *row < 0 || *row >= own.rows)
        return {};
    const core::StageInfo &info = core::infoOf(selection.stage);
    const bool weighs =
        info.part == core::Part::Attention && selection.stage != core::Stage::Norm &&
        selection.stage != core::Stage::ResidualSum && selection.stage != core::Stage::Residual;
    return weighs ? attentionArithmetic(trace, selection, style)
                  : blockArithmetic(trace, selection, style);
}

} // namespace headlight::ui
