#include "ui/views/heads_view.h"

#include "ui/compute/stage_worker.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

HeadsView::HeadsView(Document &document, QWidget *parent)
    : FigureView(core::View::Heads, document, parent) {
    connect(&m_samples, &HeadSamples::made, this, &HeadsView::remake);
    connect(&document, &Document::changed, this, [this](const ChangeEvent &event) {
        if (is<SessionChanged>(event) || (is<StateChanged>(event) && !changesOnlyLesson(event)))
            m_samples.forget();
    });
}

HeadsGeometry HeadsView::geometry() const {
    return heads()->geometry(figureArea(), shownPart());
}

double HeadsView::zoom() const {
    return isCrowded() ? m_cellZoom : FigureView::zoom();
}

void HeadsView::zoomBy(double factor, QPointF point) {
    if (!isCrowded())
        return FigureView::zoomBy(factor, point);
    double zoom = std::clamp(m_cellZoom * factor, 1.0, kMaxZoom);
    if (std::abs(zoom - 1) < 0.01)
        zoom = 1;
    if (zoom == m_cellZoom)
        return;
    const QPointF at = inFigure(point);
    const HeatmapGeometry before = geometry().enlarged;
    const std::optional<Cell> held = before.cellAt(at);
    m_cellZoom = zoom;
    if (!held && !before.isWindow)
        return showWindow(std::nullopt);
    // The cell under the mouse stays fixed; without one the centre does.
    const Cell cell = held.value_or(
        Cell{before.origin.row + before.rows / 2, before.origin.column + before.columns / 2});
    const HeatmapGeometry large = geometry().enlarged;
    const QPointF place = held && large.cells.contains(at) ? at : large.cells.center();
    const QPointF inside = place - large.cells.topLeft();
    const auto first = [](core::Index shown, double distance, double side) {
        return std::max<core::Index>(0, shown - static_cast<core::Index>(distance / side));
    };
    showWindow(Cell{first(cell.row, inside.y(), large.cell.height()),
                    first(cell.column, inside.x(), large.cell.width())});
}

void HeadsView::fit() {
    FigureView::fit();
    if (m_cellZoom == 1)
        return;
    m_cellZoom = 1;
    showWindow(std::nullopt);
}

void HeadsView::paintFigure(QPainter &painter) {
    painter.fillRect(sight(), figureStyle().background);
    heads()->paintIn(painter, figureArea(), Device::Raster, shownPart());
    wantSamples();
}

std::unique_ptr<Figure> HeadsView::makeFigure(const FigureInput &input) const {
    std::unique_ptr<Figure> figure = FigureView::makeFigure(input);
    auto *heads = static_cast<HeadsFigure *>(figure.get());
    const SampledHeads sampled = m_samples.of(
        *input.trace, placeOf(infoOf(core::View::Heads).shown(*input.trace, input.selection)));
    for (const auto &[head, sample] : sampled.heads)
        if (heads && head < heads->headCount() && heads->lacks(head))
            heads->setSample(head, sample, sampled.hidden);
    return figure;
}

void HeadsView::wantSamples() {
    const core::TracePointer &trace = document().trace();
    const core::Selection shown = shownSelection();
    if (document().traceIsStale() || !isReady(*trace, DetailRequest::of(shown)))
        return m_samples.rest();
    const HeadsGeometry places = geometry();
    std::vector<core::Index> missing;
    for (const bool isInSight : {true, false})
        for (std::size_t tile = 0; tile < places.tiles.size(); ++tile) {
            const core::Index head = heads()->headOfTile(static_cast<core::Index>(tile));
            if (heads()->lacks(head) &&
                onScreen(places.tiles[tile]).intersects(sight()) == isInSight)
                missing.push_back(head);
        }
    if (!missing.empty())
        m_samples.want(*trace, placeOf(shown), std::move(missing));
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

HitTestResult HeadsView::placeAt(QPointF point) const {
    HitTestResult place{document().selection(), {}};
    if (!heads())
        return place;
    const HeadsGeometry places = geometry();
    place.cell = places.cellAt(point);
    if (const std::optional<core::Index> tile = places.tileAt(point)) {
        place.selection.head = heads()->headOfTile(*tile);
        place.cell = places.tileCellAt(point);
    }
    // A click on a cell selects the shown stage.
    if (place.cell)
        place.selection.stage = shownSelection().stage;
    return place;
}

} // namespace headlight::ui
