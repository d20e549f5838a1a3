#include "ui/figures/text/stage_formula.h"

#include "core/explain/formula.h"
#include "core/explain/gradients/gradient_lines.h"
#include "core/explain/symbols.h"
#include "ui/figures/text/line_spans.h"

namespace headlight::ui {

Spans formulaSpans(const core::Trace &trace, const core::Selection &place,
                   const FigureStyle &style) {
    return spansOf(core::formulaOf(trace, place), {{}, {}, QStringLiteral("      %1")}, style);
}

Spans formulaSpans(const core::BackwardPass &backwardPass, const core::Selection &place,
                   const FigureStyle &style) {
    return spansOf(core::backFormulaOf(backwardPass, place), {{}, {}, QStringLiteral("      %1")},
                   style);
}

QString symbolText(const core::Trace &trace, core::StageId at) {
    return QString::fromStdString(core::symbolOf(trace, at));
}

} // namespace headlight::ui
