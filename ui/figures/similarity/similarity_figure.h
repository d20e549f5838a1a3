// Similarity of the words' vectors before and after attention. In the first layer, a word has the
// same vector at every position before attention. Cosines are computed within each space, never
// between the two.
#pragma once

#include "ui/figures/heatmap/heatmap_figure.h"

#include <array>

namespace headlight::ui {

struct SimilarityGeometry {
    QRectF area;
    QRectF title;
    std::array<QRectF, 2> cards;
    std::array<HeatmapGeometry, 2> heatmaps;

    /// Returns the cell of either heatmap at the point.
    std::optional<Cell> cellAt(QPointF point) const;
};

class SimilarityFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::SimilarityFigure)

  public:
    /// Compares the attention's input (the embeddings in the first layer) with the stage
    /// `options.contextual`: the context of the selected head, or the output. Omits padding. The
    /// selected query and key mark a cell.
    static SimilarityFigure fromTrace(const core::TracePointer &trace,
                                      const core::Selection &selection, const FigureStyle &style,
                                      const FigureOptions &options = {},
                                      HeatmapCache *kept = nullptr);

    /// Returns the stage after attention to compare: `wanted`, or its replacement if there is no
    /// W_O.
    static core::Stage comparedStage(const core::Trace &trace, core::AttentionId attention,
                                     core::Stage wanted);

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    QSizeF readableSize(const QSizeF &sight) const override;
    QSizeF minSight() const override { return {240, 200}; }
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override;
    QString description() const override;

    /// `origin` is the first cell to show of matrices that are too large to be shown completely.
    SimilarityGeometry geometry(const QRectF &area, std::optional<Cell> origin = {}) const;
    void paintIn(QPainter &painter, const QRectF &area, Device device,
                 std::optional<Cell> origin) const;
    /// Returns "bank and river: 0.98 as embeddings, 0.31 as context". Empty outside the matrix.
    QString words(Cell cell) const;
    /// Returns the heatmap before attention (index 0) or after it (index 1).
    const HeatmapFigure &heatmap(std::size_t index) const { return m_heatmaps[index]; }

  private:
    static SimilarityGeometry placed(const QRectF &area, std::optional<Cell> origin,
                                     const FigureStyle &style,
                                     const std::array<HeatmapFigure, 2> &heatmaps);
    SimilarityFigure(std::array<HeatmapFigure, 2> heatmaps, QStringList names, QString title,
                     FigureStyle style);
    /// Cosines of both sides of a comparison. Null if they cannot be compared.
    struct Sides {
        std::shared_ptr<const core::Matrix> now, a;
    };

    /// If `keeps` is true, caches the painting and shares the cache with copies of the figure.
    static SimilarityFigure made(const core::TracePointer &trace, const core::Selection &selection,
                                 const FigureStyle &style, const FigureOptions &options,
                                 bool keeps);
    void select(const core::Selection &selection);
    QString valueText(std::size_t index, Cell cell) const;
    bool hasNoPartner(std::size_t index, Cell cell) const;

    std::array<HeatmapFigure, 2> m_heatmaps;
    std::array<Sides, 2> m_sides;
    QStringList m_names; // name of the vectors of each heatmap
    QString m_title;
    FigureStyle m_style;
};

} // namespace headlight::ui
