// CloseUpFigure: the text size in a view, in which numbers have a minimum size.
#include "ui/figures/close_up/close_up_figure.h"

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr double kScaleStep = 0.25; // step by which large text is reduced
constexpr double kLowResult = 60;   // px, height of a result that is large enough without numbers

} // namespace

QSizeF CloseUpFigure::minSight() const {
    return {340, 200};
}

QSizeF CloseUpFigure::readableSize(const QSizeF &sight) const {
    return sight.expandedTo(minSight());
}

CloseUpFigure CloseUpFigure::withTextScale(double scale) const {
    CloseUpFigure scaled = *this;
    scaled.m_style.textScale = scale;
    scaled.m_table.setTextScale(scale);
    if (m_lines)
        scaled.m_lines.emplace(m_lines->withStyle(scaled.m_style));
    scaled.m_request = {};
    scaled.measure();
    return scaled;
}

double CloseUpFigure::fittingScale(const QRectF &area, const CloseUpViewport &viewport) const {
    const double wished = m_style.textScale;
    if (m_style.isPresented())
        return wished;
    if (wished <= 1)
        return 1; // smaller text would make the numbers too small
    if (m_parts.result.content.matrix().empty())
        return wished;
    // The largest scales at which only the selected row has numbers, and at which nothing has
    // numbers.
    std::optional<double> withTable, inColours;
    for (double scale = wished;; scale = std::max(1.0, scale - kScaleStep)) {
        CloseUpViewport scaled = viewport;
        for (auto *chips : {&scaled.chips, &scaled.headChips})
            for (QSizeF &chip : *chips)
                chip *= scale / wished;
        const CloseUpFigure figure = withTextScale(scale);
        const Places places = figure.places(area, scaled);
        const QRectF table = places.inTable();
        const bool hasPicture = !places.picture.result.cells.cells.isEmpty();
        const bool fits =
            isOpened() ? !places.table.isEmpty() &&
                             figure.m_table.layout(table, places.tableScroll).used.bottom() <=
                                 table.bottom()
                       : places.picture.form == CloseUpGeometry::Form::Numbers;
        if (fits && hasPicture)
            return scale;
        if (fits && isOpened() && !withTable) // used if no scale leaves space for a picture
            withTable = scale;
        if (places.picture.result.cells.cells.height() >= kLowResult) {
            if (!inColours)
                inColours = scale;
            if (!withTable && (!places.table.isEmpty() || !places.bars.rows.empty()))
                withTable = scale;
        }
        if (scale <= 1)
            return withTable.value_or(inColours.value_or(1));
    }
}

} // namespace headlight::ui
