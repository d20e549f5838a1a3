// The tab "Heads": every head of the layer as a heatmap, one enlarged.
#pragma once

#include "ui/figures/heads/heads_figure.h"
#include "ui/views/figure_view.h"

namespace headlight::ui {

class HeadsView : public FigureView {
    Q_OBJECT
  public:
    explicit HeadsView(Document &document, QWidget *parent = nullptr);
    QString viewName() const override { return "heads"; }
    bool hasHeadOrder() const override { return true; }
    /// As it is painted now; only with a figure.
    HeadsGeometry geometry() const;
    ShownHeatmap shownHeatmap() override;
    bool hasMask() const override { return true; }

  protected:
    std::unique_ptr<Figure> makeFigure() const override;
    FigurePlace placeAt(QPointF point) const override;
    void paintFigure(QPainter &painter) override;
    core::Selection shownSelection() const override;
    std::optional<HeatmapGeometry> largeGeometry() const override;
    std::vector<HeatmapGeometry> allGeometries() const override;

  private:
    const HeadsFigure *heads() const { return static_cast<const HeadsFigure *>(currentFigure()); }
};

} // namespace headlight::ui
