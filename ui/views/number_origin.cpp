#include "ui/views/number_origin.h"

#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/figures/text/symbol_spans.h"
#include "ui/text/parameter_text.h"
#include "ui/views/cell_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

QString originText(const core::NumberOrigin &origin, const Document &document) {
    if (!origin.parameter) {
        const ShownRun run = shownRun(document.trace(), document.selectionInTrace(),
                                      document.comparison().compared());
        return cellText(*run.trace, originSelection(origin, run.selection), origin.row,
                        origin.column);
    }
    return QCoreApplication::translate("NumberOrigin", "%1, row %2, column %3")
        .arg(plainText(symbolSpans(markedSymbolOf(origin.parameter->which), {}, false)))
        .arg(origin.row)
        .arg(origin.column);
}

core::Selection originSelection(const core::NumberOrigin &origin, core::Selection selection) {
    selection = atStage(selection, origin.at);
    selection.sequence = origin.sequence;
    selection.head = origin.head.value_or(selection.head);
    return atCell(selection, origin.row, origin.column);
}

std::vector<core::NumberOrigin> originsIn(const Spans &numbers) {
    std::vector<core::NumberOrigin> origins;
    for (const Span &span : numbers)
        if (span.origin && std::ranges::find(origins, *span.origin) == origins.end())
            origins.push_back(*span.origin);
    return origins;
}

} // namespace headlight::ui
