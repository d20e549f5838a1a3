#include "ui/views/heads_view.h"

namespace headlight::ui {

HeadsView::HeadsView(Document &document, QWidget *parent) : FigureView(document, parent) {
    setObjectName("headsView");
    setAccessibleName(tr("Heads"));
}

std::unique_ptr<Figure> HeadsView::makeFigure() const {
    return std::make_unique<HeadsFigure>(
        HeadsFigure::fromTrace(document().trace(), document().selection(), figureStyle()));
}

HeadsGeometry HeadsView::geometry() const {
    return static_cast<const HeadsFigure *>(currentFigure())->geometry(figureArea());
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

std::optional<Cell> HeadsView::cellAt(QPointF point) const {
    return currentFigure() ? geometry().cellAt(point) : std::nullopt;
}

core::Selection HeadsView::selectionAt(QPointF point) const {
    core::Selection selection = document().selection();
    if (!currentFigure())
        return selection;
    const HeadsGeometry places = geometry();
    if (const std::optional<core::Index> head = places.headAt(point))
        selection.head = *head;
    // The view shows the weights where the selected stage has no heads: a click on a cell then
    // means those.
    if (places.cellAt(point) && !core::infoOf(selection.stage).perHead)
        selection.stage = core::Stage::Weights;
    return selection;
}

} // namespace headlight::ui
