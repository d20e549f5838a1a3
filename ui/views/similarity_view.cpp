#include "ui/views/similarity_view.h"

namespace headlight::ui {

SimilarityView::SimilarityView(Document &document, QWidget *parent)
    : FigureView(core::View::Similarity, document, parent) {}

SimilarityGeometry SimilarityView::geometry() const {
    return similarity()->geometry(figureArea(), windowOrigin());
}

void SimilarityView::paintFigure(QPainter &painter) {
    painter.fillRect(sight(), figureStyle().background);
    similarity()->paintIn(painter, figureArea(), Device::Raster, windowOrigin());
}

std::optional<HeatmapGeometry> SimilarityView::largeGeometry() const {
    return similarity() ? std::optional(geometry().heatmaps[0]) : std::nullopt;
}

std::vector<HeatmapGeometry> SimilarityView::labelledGeometries() const {
    if (!similarity())
        return {};
    const auto places = geometry().heatmaps;
    return {places.begin(), places.end()};
}

QString SimilarityView::termAt(QPointF point) const {
    for (const HeatmapGeometry &each : labelledGeometries())
        if (each.title.contains(point) || each.subtitle.contains(point))
            return QStringLiteral("cosine");
    return {};
}

HitTestResult SimilarityView::placeAt(QPointF point) const {
    return {shownSelection(), similarity() ? geometry().cellAt(point) : std::nullopt};
}

QString SimilarityView::wordsOf(const HitTestResult &place) const {
    return similarity() && place.cell ? similarity()->words(*place.cell) : QString();
}

core::Selection SimilarityView::selectionOf(const HitTestResult &place) const {
    if (!place.cell)
        return document().selection();
    const Compared compared = document().comparison().compared();
    core::Selection selection = onShownSide(compared, document().selection());
    selection.query = place.cell->row;
    selection.key = place.cell->column;
    return onCurrentSide(compared, selection);
}

} // namespace headlight::ui
