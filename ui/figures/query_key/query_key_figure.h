// The Query·key view: the products of a query with each key, by dimension. The products with one
// key are bars at the top. The products with all keys are a heatmap below. Both sort the dimensions
// by their effect on the chosen key's score relative to the mean, largest absolute value first.
#pragma once

#include "core/analysis/query_key.h"
#include "ui/figures/heatmap/heatmap_figure.h"

#include <QCoreApplication>

namespace headlight::ui {

struct QueryKeyContent {
    QString title, subtitle;
    QString sums;    ///< "q · k = 3.21 · mean of the visible keys 1.02"
    QString nothing; ///< why there are no products; shown instead of them
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
    /// Returns the product at the point, as its key and the column of its dimension in sorted
    /// order.
    std::optional<Cell> productAt(const QueryKeyGeometry &places, QPointF point) const;
    /// Returns "bank and money, dimension 12: product −0.6 of the sum 3.21".
    QString words(Cell product) const;

  private:
    QueryKeyFigure(QueryKeyContent content, HeatmapFigure heatmap, FigureStyle style);
    void paintBars(QPainter &painter, const QueryKeyGeometry &places) const;

    QueryKeyContent m_content;
    HeatmapFigure m_heatmap;
    FigureStyle m_style;
};

} // namespace headlight::ui
