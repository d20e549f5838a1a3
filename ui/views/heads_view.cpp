#include "ui/views/heads_view.h"

namespace headlight::ui {

HeadsView::HeadsView(Document &document, QWidget *parent) : FigureView(document, parent) {
    setObjectName("headsView");
    setAccessibleName(tr("Heads"));
    restoreOptions();
}

std::unique_ptr<Figure> HeadsView::makeFigure() const {
    FigureOptions chosen = optionsOfFigure();
    chosen.granularity = Granularity::Stage;
    return std::make_unique<HeadsFigure>(
        HeadsFigure::fromTrace(document().trace(), document().selection(), figureStyle(), chosen));
}

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
    const core::Selection &selection = document().selection();
    const core::Stage stage =
        core::infoOf(selection.stage).perHead ? selection.stage : core::Stage::Weights;
    return {&shown->enlarged().content(), geometry().enlarged, stage};
}

core::Selection HeadsView::shownSelection() const {
    core::Selection selection = document().selection();
    // The weights stand for a stage that has no heads.
    if (!core::infoOf(selection.stage).perHead)
        selection.stage = core::Stage::Weights;
    return selection;
}

std::optional<HeatmapGeometry> HeadsView::largeGeometry() const {
    return heads() ? std::optional(geometry().enlarged) : std::nullopt;
}

std::vector<HeatmapGeometry> HeadsView::allGeometries() const {
    std::vector<HeatmapGeometry> all;
    if (!heads())
        return all;
    const HeadsGeometry places = geometry();
    all.push_back(places.enlarged);
    for (std::size_t tile = 0; tile < places.tiles.size(); ++tile)
        all.push_back(places.tileCells(static_cast<core::Index>(tile)));
    return all;
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
