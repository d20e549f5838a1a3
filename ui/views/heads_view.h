// The "Heads" tab: every head of the layer as a heatmap, one enlarged.
#pragma once

#include "ui/compute/head_samples.h"
#include "ui/figures/heads/heads_figure.h"
#include "ui/views/figure_view.h"

namespace headlight::ui {

class HeadsView : public FigureView {
    Q_OBJECT
  public:
    explicit HeadsView(Document &document, QWidget *parent = nullptr);
    /// Returns the current layout. Requires a figure.
    HeadsGeometry geometry() const;
    ShownHeatmap shownHeatmap() override;

    /// If cells are too small to distinguish, only the enlarged matrix zooms: labels and the other
    /// heads stay visible.
    double zoom() const override;
    using FigureView::zoomBy;
    void zoomBy(double factor, QPointF point) override;
    void fit() override;

  protected:
    HitTestResult placeAt(QPointF point) const override;
    void paintFigure(QPainter &painter) override;
    std::optional<HeatmapGeometry> largeGeometry() const override;
    std::vector<HeatmapGeometry> allGeometries() const override;

    std::unique_ptr<Figure> makeFigure(const FigureInput &input) const override;

  private:
    /// Requests the small pictures of heads that are not in the trace. A worker computes them.
    void wantSamples();
    static HeadSamples::Place placeOf(const core::Selection &shown) {
        return {{shown.stage, shown.attention()}, shown.sequence};
    }
    bool isCrowded() const { return heads() && heads()->isCrowded(figureArea()); }
    HeadsViewport shownPart() const { return {m_cellZoom, windowOrigin()}; }
    const HeadsFigure *heads() const { return static_cast<const HeadsFigure *>(currentFigure()); }

    HeadSamples m_samples;
    double m_cellZoom = 1; // zoom of the enlarged matrix while its cells are too small
};

} // namespace headlight::ui
