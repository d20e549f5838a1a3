#include "ui/views/flow_view.h"

namespace headlight::ui {

FlowView::FlowView(Document &document, QWidget *parent) : FigureView(document, parent) {
    setObjectName("flowView");
    setAccessibleName(tr("Flow"));
}

std::unique_ptr<Figure> FlowView::makeFigure() const {
    return std::make_unique<FlowFigure>(
        FlowFigure::fromTrace(document().trace(), document().selection(), figureStyle()));
}

FlowGeometry FlowView::geometry() const {
    return static_cast<const FlowFigure *>(currentFigure())->geometry(figureArea());
}

ShownHeatmap FlowView::shownHeatmap() {
    const auto *shown = static_cast<const FlowFigure *>(figure());
    if (!shown)
        return {};
    const core::Selection &selection = document().selection();
    const core::Stage stage =
        FlowFigure::shownStage(*document().trace(), selection.stage, selection.layer);
    return {&shown->current().content(), geometry().large, stage};
}

std::optional<Cell> FlowView::cellAt(QPointF point) const {
    return currentFigure() ? geometry().cellAt(point) : std::nullopt;
}

core::Selection FlowView::selectionAt(QPointF point) const {
    core::Selection selection = document().selection();
    if (currentFigure())
        selection.stage = geometry().stageAt(point).value_or(selection.stage);
    return selection;
}

} // namespace headlight::ui
