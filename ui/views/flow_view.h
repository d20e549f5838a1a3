// The tab "Flow": the whole computation as matrices joined by arrows, the current stage large.
#pragma once

#include "ui/figures/flow_figure.h"
#include "ui/views/figure_view.h"

namespace headlight::ui {

class FlowView : public FigureView {
    Q_OBJECT
  public:
    explicit FlowView(Document &document, QWidget *parent = nullptr);
    QString viewName() const override { return "flow"; }
    ShownHeatmap shownHeatmap() override;

  protected:
    std::unique_ptr<Figure> makeFigure() const override;
    std::optional<Cell> cellAt(QPointF point) const override;
    core::Selection selectionAt(QPointF point) const override;

  private:
    FlowGeometry geometry() const;
};

} // namespace headlight::ui
