// How alike the words' vectors are: before attention (in the first layer a word is the same
// wherever it stands) beside after it. Cosines are taken within each space, never between the two.
#pragma once

#include "ui/figures/heatmap/heatmap_figure.h"

#include <array>

namespace headlight::ui {

struct SimilarityGeometry {
    QRectF area;
    QRectF title;
    std::array<QRectF, 2> cards;
    std::array<HeatmapGeometry, 2> heatmaps;

    /// A cell of either heatmap.
    std::optional<Cell> cellAt(QPointF point) const;
};

class SimilarityFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::SimilarityFigure)

  public:
    /// What the selection's attention reads (of the first layer the embeddings) beside the options'
    /// `contextual` stage of it: the context of its head, or the output. Padding is left out. The
    /// selected query and key are its cell.
    static SimilarityFigure fromTrace(const core::TracePointer &trace,
                                      const core::Selection &selection, const FigureStyle &style,
                                      const FigureOptions &options = {},
                                      HeatmapCache *kept = nullptr);

    /// What of the layer is compared: the wanted stage, or what stands for it without W_O.
    static core::Stage comparedStage(const core::Trace &trace, core::AttentionId attention,
                                     core::Stage wanted);

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    QSizeF readableSize(const QSizeF &sight) const override;
    QSizeF leastSight() const override { return {240, 200}; }
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override;
    QString description() const override;

    /// `origin`: the first cell of matrices too large to be shown whole.
    SimilarityGeometry geometry(const QRectF &area, std::optional<Cell> origin = {}) const;
    void paintIn(QPainter &painter, const QRectF &area, Device device,
                 std::optional<Cell> origin) const;
    /// "bank and river: 0.98 as embeddings, 0.31 as context"; empty outside.
    QString words(Cell cell) const;
    /// 0: before attention, 1: after it.
    const HeatmapFigure &heatmap(std::size_t index) const { return m_heatmaps[index]; }

  private:
    static SimilarityGeometry placed(const QRectF &area, std::optional<Cell> origin,
                                     const FigureStyle &style,
                                     const std::array<HeatmapFigure, 2> &heatmaps);
    SimilarityFigure(std::array<HeatmapFigure, 2> heatmaps, QStringList names, QString title,
                     FigureStyle style);
    /// The cosines of the two sides where they are compared; null where they cannot be.
    struct Sides {
        std::shared_ptr<const core::Matrix> now, a;
    };

    /// `keeps`: what is painted of it stays for the figures that are copies of it.
    static SimilarityFigure made(const core::TracePointer &trace, const core::Selection &selection,
                                 const FigureStyle &style, const FigureOptions &options,
                                 bool keeps);
    void select(const core::Selection &selection);
    QString valueWords(std::size_t index, Cell cell) const;

    std::array<HeatmapFigure, 2> m_heatmaps;
    std::array<Sides, 2> m_sides;
    QStringList m_names; // of the vectors, one a heatmap
    QString m_title;
    FigureStyle m_style;
};

} // namespace headlight::ui
