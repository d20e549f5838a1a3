#include "ui/views/heads_view.h"

namespace headlight::ui {

HeadsView::HeadsView(Document &document, QWidget *parent)
    : FigureView(core::View::Heads, document, parent) {}

HeadsGeometry HeadsView::geometry() const {
    return heads()->geometry(figureArea(), windowOrigin());
}

void HeadsView::paintFigure(QPainter &painter) {
    painter.fillRect(sight(), figureStyle().background);
    heads()->paintIn(painter, figureArea(), Device::Raster, windowOrigin());
}

ShownHeatmap HeadsView::shownHeatmap() {
    const auto *shown = static_cast<const HeadsFigure *>(figure());
    if (!shown)
        return {};
    return {&shown->enlarged().content(), geometry().enlarged, shownSelection().stage};
}

std::optional<HeatmapGeometry> HeadsView::largeGeometry() const {
    return heads() ? std::optional(geometry().enlarged) : std::nullopt;
}

FigurePlace HeadsView::placeAt(QPointF point) const {
    FigurePlace place{document().selection(), {}};
    if (!heads())
        return place;
    const HeadsGeometry places = geometry();
    place.cell = places.cellAt(point);
    if (const std::optional<core::Index> tile = places.tileAt(point)) {
        place.selection.head = heads()->headOfTile(*tile);
        place.cell = places.tileCellAt(point);
    }
    // A click on a cell means the stage that is seen.
    if (place.cell)
        place.selection.stage = shownSelection().stage;
    return place;
}

} // namespace headlight::ui
