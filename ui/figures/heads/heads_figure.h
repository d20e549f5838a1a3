// All heads of a layer as small heatmaps. One of them, or their combination, is enlarged and has
// numbers.
#pragma once

#include "core/analysis/head_sampler.h"
#include "ui/figures/heads/combined_heads.h"
#include "ui/figures/heads/heads_geometry.h"
#include "ui/figures/heatmap/heatmap_figure.h"

#include <algorithm>

namespace headlight::ui {

/// Returns the translated name, such as "entropy".
QString titleOf(core::HeadOrder order);

/// The visible part of the enlarged matrix: all of it or a window.
struct HeadsViewport {
    /// The magnification of cells that are too small to be distinguished. If it is above 1, the
    /// enlarged matrix is a window, which is marked in the tile of its head.
    double zoom = 1;
    std::optional<Cell> origin; ///< first cell of the window
    CellDetail detail = CellDetail::Full;
};

class HeadsFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::HeadsFigure)

  public:
    /// Shows the selection's stage for every head. A stage without heads is replaced by the
    /// attention weights. `combined` is the combination, if the options set one. `changes` sort the
    /// heads by the change of a measure, and are computed here if unset.
    static HeadsFigure fromTrace(const core::TracePointer &trace, const core::Selection &selection,
                                 const FigureStyle &style, const FigureOptions &options = {},
                                 HeatmapCache *kept = nullptr,
                                 const GivenCombination &combined = {},
                                 const std::optional<GivenHeadChanges> &changes = {});

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    QSizeF readableSize(const QSizeF &sight) const override;
    QSizeF minSight() const override { return {240, 200}; }
    double heightFor(double width) const override;
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override;
    QString description() const override;

    HeadsGeometry geometry(const QRectF &area, const HeadsViewport &sight = {}) const;
    /// True if the cells of the enlarged matrix are too small to be distinguished.
    bool isCrowded(const QRectF &area) const;
    void paintIn(QPainter &painter, const QRectF &area, Device device,
                 const HeadsViewport &sight) const;
    /// True if matrices are computed per head and this one is not available yet.
    bool lacks(core::Index head) const {
        return m_canSample && !this->head(head).absence.isEmpty();
    }
    /// Sets the sample shown in the head's tile until its matrix is available. `hidden` masks the
    /// sample, and `kept` caches its images; both may be null.
    void setSample(core::Index head, const core::HeadSample &sample,
                   std::shared_ptr<const core::Mask> hidden,
                   std::shared_ptr<PaintingCache> kept = nullptr);
    /// Computes and sets the samples of all heads whose matrix is missing. This may take a long
    /// time, so use it only for files.
    core::Outcome sampleMissing(const core::Trace &trace, const core::Selection &shown,
                                const std::stop_token &stop);
    /// Returns the content of the head's tile: the sample if its matrix is not available yet.
    const HeatmapContent &shownInTile(core::Index head) const {
        const HeatmapContent &sampled = m_samples[static_cast<std::size_t>(head)];
        return lacks(head) && !sampled.tensor.isNull() ? sampled : this->head(head);
    }
    core::Index headCount() const { return static_cast<core::Index>(m_heads.size()); }
    const HeatmapContent &head(core::Index index) const {
        return m_heads[static_cast<std::size_t>(index)];
    }
    /// Returns the head of a tile. Tiles are in the chosen order.
    core::Index headOfTile(core::Index tile) const {
        return m_order[static_cast<std::size_t>(tile)];
    }
    const HeatmapFigure &enlarged() const { return m_enlarged; }
    /// Sets the pyramid of the enlarged matrix and of its tile. See HeatmapFigure::setPyramid().
    void setPyramid(std::shared_ptr<const core::MatrixPyramid> pyramid, const QString &awaited);
    /// Returns the enlarged combination, or null if a head is enlarged.
    const core::CombinedAttention *combined() const { return m_combined.get(); }
    core::Combination combination() const { return m_combination; }
    /// Returns why the combination set in the options is missing. Empty if it is not missing.
    const QString &combinedUnavailableReason() const { return m_combinedUnavailableReason; }

  private:
    HeadsFigure(std::vector<HeatmapContent> heads, HeatmapFigure enlarged, core::Index selected,
                QString title, FigureStyle style);
    HeadsRequest request(const QRectF &area, const FigureStyle &style,
                         const HeatmapFigure &enlarged) const;
    /// Returns the smallest size at which text and white space are not reduced.
    QSizeF comfortableSize() const;
    double minTextScale() const;
    /// Returns the figure for a narrow space, such as a column of a paper. It has smaller type and
    /// less white space.
    HeadsFigure narrowed(const QSizeF &size) const;
    bool isNarrow(const QSizeF &size) const;
    QStringList titleLines(double width) const;
    void paintTiles(QPainter &painter, const HeadsGeometry &geometry, Device cells,
                    CellDetail detail) const;
    /// Returns the cells of a tile, which may show a sample of a large matrix.
    HeatmapGeometry smallCells(const HeadsGeometry &geometry, std::size_t tile) const;
    /// True if numbers fit into all tiles. Otherwise, no tile has numbers.
    bool numbersFitInTiles(const HeadsGeometry &geometry) const;
    /// Returns the names of the tiles, such as "head 3  0.52", shortened to fit into all tiles.
    QStringList tileNames(double width) const;
    /// Returns the visible window's rectangle in a tile. Converts rows and columns of words to
    /// tokens.
    QRectF placeOfWindow(const HeadsGeometry &geometry, core::Index tile) const;
    /// Returns the scale of the grid's colour bar: the scale of the selected head.
    const ColourScale &scaleOfTiles() const;
    bool isIncluded(core::Index head) const {
        return std::ranges::find(m_included, head) != m_included.end();
    }
    void orderBy(core::HeadOrder order, const std::vector<core::HeadMeasures> &measures);
    /// Sorts the heads by how much their measure differs between the two sides, largest first.
    void orderByChange(core::HeadOrder order, const std::vector<core::ComparedHead> &heads);

    std::vector<HeatmapContent> m_heads;
    std::vector<HeatmapContent> m_samples; // one per head
    bool m_canSample = false;
    ColourMap m_map = ColourMap::Viridis; // colour map of the samples
    Range m_range = Range::Fixed;
    HeatmapFigure m_enlarged;
    core::Index m_selected;
    std::vector<core::Index> m_order;                          // head of each tile
    core::Combination m_combination = core::Combination::None; // enlarged instead of a head
    std::shared_ptr<const core::CombinedAttention> m_combined; // null if off or unavailable
    QString m_combinedUnavailableReason;
    std::vector<core::Index> m_included; // combined heads, if not all
    Scaling m_scaling = Scaling::Linear; // scaling of the samples
    QStringList m_states;                // intervention on each head, or empty
    QStringList
        m_measures; // the measure used for the order, one per head; empty if sorted by index
    QString m_title;
    bool m_isCloseUp = false; // a close-up does not scroll just to show the entire subtitle
    double m_air = 1;         // factor of the white space; below 1 in a narrow figure
    FigureStyle m_style;
};

} // namespace headlight::ui
