#include "ui/figures/arithmetic/stage_arithmetic.h"

#include "core/explain/arithmetic.h"
#include "core/explain/gradients/gradient_lines.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/text/line_spans.h"
#include "ui/text/token_names.h"

namespace headlight::ui {

namespace {

Spans namedSpans(const core::Line &line, const core::Trace &trace, const core::Selection &selection,
                 const FigureStyle &style) {
    const QStringList rows = rowNames(trace, selection);
    const QStringList keys = keyTokens(trace, selection);
    const bool ofWords = core::infoOf(selection.stage).columns == core::Columns::Words;
    LineNames names;
    names.note = QStringLiteral("   (%1)");
    names.row = [&rows](core::Index row) { return rows.value(row); };
    names.column = [&](core::Index column) {
        return ofWords ? wordName(trace.model(), column) : keys.value(column);
    };
    return spansOf(line, names, style);
}

} // namespace

Spans arithmeticOf(const core::Trace &trace, const core::Selection &selection,
                   const FigureStyle &style) {
    return namedSpans(core::arithmeticOf(trace, selection), trace, selection, style);
}

Spans arithmeticOf(const core::BackwardPass &backwardPass, const core::Selection &selection,
                   const FigureStyle &style) {
    return namedSpans(core::backArithmeticOf(backwardPass, selection), *backwardPass.trace,
                      selection, style);
}

QString termText(float value) {
    return QString::fromStdString(core::termText(static_cast<double>(value)));
}

QString resultText(float value) {
    return QString::fromStdString(core::resultText(static_cast<double>(value)));
}

} // namespace headlight::ui
