// The Query·key view: the products of a query with each key, by dimension. Above, the products with
// one key as bars; below, the products with all keys as a heatmap. Both have the dimensions in the
// same order: those with the largest effect on the chosen key's score relative to the mean, of
// either sign, come first.
#pragma once

#include "core/analysis/query_key.h"
#include "ui/figures/heatmap/heatmap_figure.h"

#include <QCoreApplication>

namespace headlight::ui {

struct QueryKeyContent {
    QString title, subtitle;
    QString sums;    ///< "q · k = 3.21, the mean of all keys 1.02"
    QString nothing; ///< why there are no products; shown in their place
    core::QueryKeyProducts products;
    QString query, chosen; ///< tokens
    QStringList keys;
};

struct QueryKeyGeometry {
    QRectF area, title, subtitle, sums;
    QRectF bars;       ///< above the columns of the heatmap
    double zero = 0;   ///< y of the bars' zero line
    double pixels = 0; ///< height of a product of 1
    HeatmapGeometry heatmap;

    QRectF bar(core::Index column, double product) const;
};

class QueryKeyFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::QueryKeyFigure)

  public:
    static QueryKeyFigure fromTrace(const core::TracePointer &trace,
                                    const core::Selection &selection, const FigureStyle &style,
                                    const FigureOptions &options = {},
                                    HeatmapCache *kept = nullptr);

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override { return {m_style.scaled(300), m_style.scaled(300)}; }
    QSizeF readableSize(const QSizeF &sight) const override;
    QSizeF minSight() const override { return {240, 200}; }
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override { return m_heatmap.cellCount(); }
    QString description() const override;

    const QueryKeyContent &content() const { return m_content; }
    const HeatmapFigure &heatmap() const { return m_heatmap; }
    QueryKeyGeometry geometry(const QRectF &area) const;
    /// A product by its key and the column of its dimension in sorted order.
    std::optional<Cell> productAt(const QueryKeyGeometry &places, QPointF point) const;
    /// Returns "dimension 12 of bank and money: 0.5 · −1.2 = −0.6".
    QString words(Cell product) const;

  private:
    QueryKeyFigure(QueryKeyContent content, HeatmapFigure heatmap, FigureStyle style);
    void paintBars(QPainter &painter, const QueryKeyGeometry &places) const;

    QueryKeyContent m_content;
    HeatmapFigure m_heatmap;
    FigureStyle m_style;
};

} // namespace headlight::ui
