// The "Heads" tab: every head of the layer as a heatmap, and one of them, or a combination,
// enlarged.
#pragma once

#include "ui/compute/head_changes.h"
#include "ui/compute/head_combinations.h"
#include "ui/compute/head_samples.h"
#include "ui/compute/matrix_pyramids.h"
#include "ui/figures/heads/heads_figure.h"
#include "ui/views/cell_span.h"
#include "ui/views/figure_view.h"

namespace headlight::ui {

class HeadsView : public FigureView {
    Q_OBJECT
  public:
    explicit HeadsView(Document &document, QWidget *parent = nullptr);
    /// Returns the current layout. Requires a figure.
    HeadsGeometry geometry() const;
    ShownHeatmap shownHeatmap() override;
    void selectCell(Cell cell) override;
    bool isComplete() override;
    /// True if no worker computes a part of the picture.
    bool isSettled() const {
        return !m_samples.isBusy() && !m_combinations.isBusy() && !m_changes.isBusy() &&
               !m_pyramids.isBusy();
    }

    /// Sets what is enlarged: a head, or several of them combined.
    void setCombination(HeadCombination combination);
    /// Adds the head to the combination, or removes it. The last head cannot be removed.
    void toggleHead(core::Index head);
    /// Combines these heads; all if the list is empty.
    void setHeads(std::vector<core::Index> heads);
    /// Returns the number of heads of the layer.
    core::Index headCount() const;
    /// Returns the heads that are combined. The combination must be on.
    std::vector<core::Index> combinedHeads() const;
    /// True if the shown stage can be combined.
    bool canCombine() const;

    /// Returns the selected range of the enlarged matrix.
    std::optional<CellSpan> shownSpan() const;
    void setSpan(std::optional<CellSpan> span);
    /// Adds the actions that select, copy and save cells.
    void addSpanActions(QMenu &menu);
    /// Writes the range in a worker thread.
    void saveSpanTo(const QString &path);
    bool isSaving() const { return m_saving.isBusy(); }

    /// If cells are too small to distinguish, only the enlarged matrix zooms: labels and the other
    /// heads stay visible.
    double zoom() const override;
    using FigureView::zoomBy;
    void zoomBy(double factor, QPointF point) override;
    void fit() override;

  signals:
    /// An action of the menu was triggered while the view is not visible.
    void wanted();

  protected:
    HitTestResult placeAt(QPointF point) const override;
    QString wordsOf(const HitTestResult &place) const override;
    QString wordsOfShown(Cell cell) override;
    void paintFigure(QPainter &painter) override;
    bool wantsNeighbours() override { return isSettled(); } // the rest of this layer comes first
    std::optional<HeatmapGeometry> largeGeometry() const override;
    std::vector<HeatmapGeometry> allGeometries() const override;
    StageNames labelledNames(std::size_t index) const override;
    std::optional<core::Index> shownRow() const override;
    std::optional<core::Index> shownColumn() const override;
    bool editsShownCells() const override;
    void moveSelection(core::Index rows, core::Index columns) override;
    void addActionsTo(QMenu &menu, QPointF point) override;
    bool event(QEvent *event) override;
    bool handleKey(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;

    std::unique_ptr<Figure> makeFigure(const FigureInput &input) const override;

  private:
    /// Returns the run and the selection whose heads `input` combines; nothing if it combines none.
    std::optional<ShownRun> combinedRun(const FigureInput &input) const;
    /// Returns the run and the selection whose heads the figure on screen combines.
    std::optional<ShownRun> combinedRun() const;
    HeadCombinations::Place placeOfCombination(const ShownRun &run) const;
    static MatrixPyramids::Source pyramidOf(const HeatmapContent &large);
    static bool needsPyramid(const HeatmapContent &large);
    /// Requests the small pictures of heads that are not in the trace, the combination, and the
    /// pyramid of a large matrix. Workers compute them.
    void wantSamples();
    void wantCombination();
    std::optional<HeadChanges::Place> placeOfChanges(const FigureInput &input) const;
    void wantChanges();
    void wantPyramid();
    static HeadSamples::Place placeOf(const core::Selection &shown) {
        return {{shown.stage, shown.attention()}, shown.sequence};
    }
    bool isCrowded() const { return heads() && heads()->isCrowded(figureArea()); }
    /// Returns the largest zoom of the enlarged matrix.
    double largestCellZoom() const;
    HeadsViewport shownPart() const { return {m_cellZoom, windowOrigin()}; }
    /// Returns the cache of the images of a head's sample.
    std::shared_ptr<PaintingCache> keptOf(core::Index sampledHead) const;
    const HeadsFigure *heads() const { return static_cast<const HeadsFigure *>(currentFigure()); }
    const core::CombinedAttention *combined() const {
        return heads() ? heads()->combined() : nullptr;
    }
    /// Returns the first token of a row or column of the combination.
    Cell tokensOf(Cell cell) const;

    void paintOver(QPainter &painter) const;
    bool hasCrosshair(const HeatmapGeometry &large) const;
    /// Returns the two lines of a crosshair, and the backgrounds of its labels.
    std::vector<QRectF> crosshairOf(const HeatmapGeometry &large, Cell cell) const;
    void point(std::optional<Cell> cell);
    void selectAllCells();
    bool extendSpan(const QKeyEvent &event);
    void copySpan();
    void saveSpan();

    HeadSamples m_samples;
    mutable HeadCombinations m_combinations; // mutable: makeFigure() computes and caches small ones
    mutable HeadChanges m_changes;           // mutable: makeFigure() computes and caches small ones
    MatrixPyramids m_pyramids;
    /// Caches of the images of sampled heads, shared with later figures of the same layer. Mutable:
    /// makeFigure() fills them.
    mutable std::map<core::Index, std::shared_ptr<PaintingCache>> m_keptSamples;
    LatestJob m_saving;
    std::optional<CellSpan> m_span; // range of the enlarged matrix
    std::optional<Cell> m_spanFrom; // first cell of a range that is being dragged
    std::optional<Cell> m_pointed;  // cell under the mouse
    double m_cellZoom = 1;          // zoom of the enlarged matrix while its cells are too small
};

} // namespace headlight::ui
