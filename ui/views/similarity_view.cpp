#include "ui/views/similarity_view.h"

namespace headlight::ui {

SimilarityView::SimilarityView(Document &document, QWidget *parent) : FigureView(document, parent) {
    setObjectName("similarityView");
    setAccessibleName(tr("Similarity"));
    restoreOptions();
}

std::unique_ptr<Figure> SimilarityView::makeFigure() const {
    return std::make_unique<SimilarityFigure>(SimilarityFigure::fromTrace(
        document().trace(), document().selection(), figureStyle(), optionsOfFigure()));
}

core::Stage SimilarityView::captionedStage() {
    const core::TracePointer trace = document().trace();
    return trace ? SimilarityFigure::comparedStage(*trace, document().selection().site(),
                                                   options().contextual)
                 : options().contextual;
}

SimilarityGeometry SimilarityView::geometry() const {
    return similarity()->geometry(figureArea(), windowOrigin());
}

void SimilarityView::paintFigure(QPainter &painter) {
    painter.fillRect(sight(), figureStyle().background);
    similarity()->paintIn(painter, figureArea(), Device::Raster, windowOrigin());
}

core::Selection SimilarityView::shownSelection() const {
    core::Selection selection = document().selection();
    selection.stage = core::Stage::Weights; // words by words, like the cosines
    return selection;
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

FigurePlace SimilarityView::placeAt(QPointF point) const {
    return {shownSelection(), similarity() ? geometry().cellAt(point) : std::nullopt};
}

QString SimilarityView::wordsOf(const FigurePlace &place) const {
    return similarity() && place.cell ? similarity()->words(*place.cell) : QString();
}

core::Selection SimilarityView::selectionOf(const FigurePlace &place) const {
    core::Selection selection = document().selection();
    if (place.cell) {
        selection.query = place.cell->row;
        selection.key = place.cell->column;
    }
    return selection;
}

} // namespace headlight::ui
