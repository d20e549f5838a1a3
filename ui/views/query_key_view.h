// The "Query · key" tab: the products of the selected query with each key, by dimension. A click on
// a key's row chooses the key.
#pragma once

#include "ui/figures/query_key/query_key_figure.h"
#include "ui/views/figure_view.h"

namespace headlight::ui {

class QueryKeyView : public FigureView {
    Q_OBJECT
  public:
    explicit QueryKeyView(Document &document, QWidget *parent = nullptr);
    /// Returns the current layout. Requires a figure.
    QueryKeyGeometry geometry() const;
    const QueryKeyFigure *products() const {
        return static_cast<const QueryKeyFigure *>(currentFigure());
    }
    ShownHeatmap shownHeatmap() override;

  protected:
    HitTestResult placeAt(QPointF point) const override;
    QString wordsAt(QPointF point) const override;
    QString termAt(QPointF point) const override;
    void paintFigure(QPainter &painter) override;
    bool wantsNeighbours() override { return true; }
    std::optional<HeatmapGeometry> largeGeometry() const override { return std::nullopt; }
    QRectF colourBarRect() const override;
    std::vector<QRectF> sought() const override;
    bool handleKey(QKeyEvent *event) override;

  private:
    bool hasProducts() const { return products() && products()->content().nothing.isEmpty(); }
    core::Selection atKey(core::Index key) const;
    void move(core::Index queries, core::Index keys);
};

} // namespace headlight::ui
