// A figure of a trace, exported as the bytes of a file.
#pragma once

#include "tests/ui/figures/figure_traces.h"
#include "ui/figures/files/export.h"
#include "ui/figures/heatmap/trace_heatmap.h"

namespace headlight::test {

inline const ui::FigureStyle &style() {
    static const ui::FigureStyle style = ui::FigureStyle::light();
    return style;
}

inline core::Selection at(core::Stage stage) {
    core::Selection selection;
    selection.stage = stage;
    return selection;
}

/// Returns the bytes of the file, or nothing if the export was refused.
inline QByteArray rendered(const ui::Figure &figure, ui::Format format,
                           const ui::ExportOptions &options = {}) {
    const auto bytes = render(figure, format, options);
    return bytes ? *bytes : QByteArray();
}

} // namespace headlight::test
