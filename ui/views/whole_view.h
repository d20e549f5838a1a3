// The "Whole" tab: the map of the computation. A click on a stage opens its close-up. With
// gradients it shows the backward pass, and a click selects a number.
#pragma once

#include "ui/compute/latest_job.h"
#include "ui/figures/whole/whole_figure.h"
#include "ui/views/figure_view.h"

namespace headlight::ui {

class WholeView : public FigureView {
    Q_OBJECT
  public:
    explicit WholeView(Document &document, QWidget *parent = nullptr);
    /// Returns the current layout. Requires a figure.
    const WholeFigure::Places &places() const;
    ShownHeatmap shownHeatmap() override;
    void setShowGradients(bool on) override;
    bool wantsGradients() const override { return m_wantsGradients; }

  signals:
    /// The user wants the selected stage's close-up.
    void closeUpRequested();

  protected:
    std::unique_ptr<Figure> makeFigure(const FigureInput &input) const override;
    HitTestResult placeAt(QPointF point) const override;
    QString wordsOf(const HitTestResult &place) const override;
    QString wordsAt(QPointF point) const override;
    QString termAt(QPointF point) const override;
    void paintFigure(QPainter &painter) override;
    std::optional<HeatmapGeometry> largeGeometry() const override;
    std::vector<HeatmapGeometry> labelledGeometries() const override { return {}; }
    std::vector<HeatmapGeometry> allGeometries() const override;
    std::vector<QRectF> sought() const override;
    bool handleKey(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;

  private:
    const WholeFigure *whole() const { return static_cast<const WholeFigure *>(currentFigure()); }
    void makeBackwardPass();

    /// Cache of the last layout, because one mouse move needs it several times.
    struct Placed {
        QRectF area;
        WholeFigure::Places places;
    };
    mutable std::optional<Placed> m_placed;
    std::optional<core::StageId> m_pressed; // stage of a press that may become a click
    bool m_wantsGradients = false;
    LatestJob m_backwardJob;
};

} // namespace headlight::ui
