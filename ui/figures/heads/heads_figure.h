// Every head of a layer as a small heatmap, one of them enlarged with its numbers.
#pragma once

#include "core/analysis/head_sampler.h"
#include "ui/figures/heads/heads_geometry.h"
#include "ui/figures/heatmap/heatmap_figure.h"

namespace headlight::ui {

/// "entropy", translated.
QString titleOf(core::HeadOrder order);

/// What of the enlarged matrix is in sight: all of it, however many tokens it has.
struct HeadsViewport {
    /// Of a matrix whose cells are too small to be told apart, how many times they are larger than
    /// in the whole of it. Then there is a window onto it, and the tile of its head says where.
    double zoom = 1;
    std::optional<Cell> origin; ///< the window's first cell
};

class HeadsFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::HeadsFigure)

  public:
    /// The selection's stage in every head; a stage that is not per head shows the attention
    /// weights.
    static HeadsFigure fromTrace(const core::TracePointer &trace, const core::Selection &selection,
                                 const FigureStyle &style, const FigureOptions &options = {},
                                 HeatmapCache *kept = nullptr);

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    QSizeF readableSize(const QSizeF &sight) const override;
    QSizeF leastSight() const override { return {240, 200}; }
    double heightFor(double width) const override;
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override;
    QString description() const override;

    HeadsGeometry geometry(const QRectF &area, const HeadsViewport &sight = {}) const;
    /// Cells of the enlarged matrix are too small to be told apart.
    bool isCrowded(const QRectF &area) const;
    void paintIn(QPainter &painter, const QRectF &area, Device device,
                 const HeadsViewport &sight) const;
    /// The head's matrix is none that is made with the others, and it is not there.
    bool lacks(core::Index head) const {
        return m_canSample && !this->head(head).absence.isEmpty();
    }
    /// What its small heatmap shows meanwhile. `hidden`: which of its numbers nothing is seen of;
    /// null: none.
    void setSample(core::Index head, const core::HeadSample &sample,
                   std::shared_ptr<const core::Mask> hidden);
    /// Makes and sets the samples of all heads that it lacks, however long that takes: for a file.
    core::Outcome sampleMissing(const core::Trace &trace, const core::Selection &shown,
                                const std::stop_token &stop);
    /// What its small heatmap shows: of the sample, where there is one.
    const HeatmapContent &shownInTile(core::Index head) const {
        const HeatmapContent &sampled = m_samples[static_cast<std::size_t>(head)];
        return lacks(head) && !sampled.tensor.isNull() ? sampled : this->head(head);
    }
    core::Index headCount() const { return static_cast<core::Index>(m_heads.size()); }
    const HeatmapContent &head(core::Index index) const {
        return m_heads[static_cast<std::size_t>(index)];
    }
    /// The tiles stand in the order that was asked for.
    core::Index headOfTile(core::Index tile) const {
        return m_order[static_cast<std::size_t>(tile)];
    }
    const HeatmapFigure &enlarged() const { return m_enlarged; }

  private:
    HeadsFigure(std::vector<HeatmapContent> heads, HeatmapFigure enlarged, core::Index selected,
                QString title, FigureStyle style);
    HeadsRequest request(const QRectF &area, const FigureStyle &style,
                         const HeatmapFigure &enlarged) const;
    /// From this size on its type and its white space are as they were asked for.
    QSizeF comfortableSize() const;
    double leastTextScale() const;
    /// In a narrow column of a paper: smaller type, less white space, and what else it needs.
    HeadsFigure narrowed(const QSizeF &size) const;
    bool isNarrow(const QSizeF &size) const;
    QStringList titleLines(double width) const;
    void paintTiles(QPainter &painter, const HeadsGeometry &geometry, Device cells) const;
    /// Of the tile: "head 3  0.52", or as much of it as fits in all tiles.
    QStringList tileNames(double width) const;
    void orderBy(core::HeadOrder order, const std::vector<core::HeadMeasures> &measures);

    std::vector<HeatmapContent> m_heads;
    std::vector<HeatmapContent> m_samples; // one a head
    bool m_canSample = false;
    ColourMap m_map = ColourMap::Viridis; // of samples
    Range m_range = Range::Fixed;
    HeatmapFigure m_enlarged;
    core::Index m_selected;
    std::vector<core::Index> m_order; // the head of each tile
    QStringList m_states;             // what a head does instead of attending; one a head
    QStringList m_measures;           // what the order goes by, one a head; empty by index
    QString m_title;
    bool m_isCloseUp = false; // nobody scrolls for the last part of a subtitle
    double m_air = 1;         // of the usual white space; less in a narrow figure
    FigureStyle m_style;
};

} // namespace headlight::ui
