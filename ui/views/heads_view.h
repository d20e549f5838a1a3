// The tab "Heads": every head of the layer as a heatmap, one enlarged.
#pragma once

#include "ui/figures/heads_figure.h"
#include "ui/views/figure_view.h"

namespace headlight::ui {

class HeadsView : public FigureView {
    Q_OBJECT
  public:
    explicit HeadsView(Document &document, QWidget *parent = nullptr);
    QString viewName() const override { return "heads"; }
    ShownHeatmap shownHeatmap() override;

  protected:
    std::unique_ptr<Figure> makeFigure() const override;
    std::optional<Cell> cellAt(QPointF point) const override;
    core::Selection selectionAt(QPointF point) const override;

  private:
    HeadsGeometry geometry() const;
};

} // namespace headlight::ui
