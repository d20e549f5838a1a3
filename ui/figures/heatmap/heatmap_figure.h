// One matrix as coloured cells with its labels, its numbers where they fit, and its colour bar.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"
#include "ui/figures/base/figure.h"
#include "ui/figures/base/figure_options.h"
#include "ui/figures/base/style.h"
#include "ui/figures/colours/colour_scale.h"
#include "ui/figures/heatmap/heatmap_geometry.h"

#include <QStringList>

namespace headlight::ui {

/// An outline around a row, a column or a cell: where a selected number came from.
struct HeatmapMark {
    std::optional<core::Index> row;
    std::optional<core::Index> column;
    QColor colour;
    bool isFaint = false; ///< a thin line
    bool operator==(const HeatmapMark &) const = default;
};

class HeatmapCache;
class PaintingCache;

/// What a heatmap shows. It keeps its numbers alive.
struct HeatmapContent {
    core::Tensor tensor;
    core::Index sequence = 0;
    core::Index head = 0;
    ColourScale scale;
    QStringList rowLabels;    ///< one a row, or none
    QStringList columnLabels; ///< one a column, or none
    QString title;
    QColor titleColour; ///< invalid: the text's
    QString subtitle;
    QString absence;                        ///< why there is no matrix: stands where it would be
    QString rowAxis;                        ///< "query"
    QString columnAxis;                     ///< "key"
    std::shared_ptr<const core::Mask> mask; ///< hidden cells; may be null
    core::Index firstPaddingRow = -1;       ///< rows from here on are padding: hatched; −1: none
    /// Columns that belong together, side by side, each as wide as the others; none: one group.
    QStringList columnGroups; ///< their names: "head 0"
    core::Index selectedGroup = 0;
    bool columnsAreTokens = false; ///< else dimensions
    std::optional<core::Index> selectedRow;
    std::optional<core::Index> selectedColumn;
    bool hidesWholly = true; ///< nothing is left of a hidden cell; else a number stands there
    bool hiddenHaveNumbers = false; ///< −∞ before softmax, 0 after it
    QString emptyRowWords;          ///< in rows that are hidden as a whole
    std::vector<Cell> setByHand;    ///< scores that a person set: a mark in the corner
    std::vector<HeatmapMark> marks; ///< where they are, they stand for the selection's outline
    std::optional<Cell>
        computedTo; ///< cells after it, in reading order, are not computed yet: faint
    bool numbers = true;
    double minimumAspect = 1;
    double maximumAspect = 1;
    std::shared_ptr<PaintingCache> keptPainting; ///< of the figures before it; null: none is kept

    core::SharedMatrix matrix() const { return tensor.matrix(sequence, head); }
    /// None where there is no such row or column.
    void select(std::optional<core::Index> row, std::optional<core::Index> column);
    bool isComputed(core::Index row, core::Index column) const {
        return !computedTo || row < computedTo->row ||
               (row == computedTo->row && column <= computedTo->column);
    }
    /// A query that no key is visible to: its weights are all zero.
    bool seesNothing(core::Index row) const {
        return mask && hidesWholly && mask->hidesAnything() && mask->seesNothing(row);
    }
    bool isHidden(core::Index row, core::Index column) const {
        return mask && mask->hidden(row, column);
    }
};

class HeatmapFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::HeatmapFigure)

  public:
    HeatmapFigure(HeatmapContent content, FigureStyle style);
    /// The selection's stage, of its sequence, layer and head. A stage the model does not have
    /// gives an empty figure that says so.
    static HeatmapFigure fromTrace(const core::TracePointer &trace,
                                   const core::Selection &selection, const FigureStyle &style,
                                   const FigureOptions &options = {}, HeatmapCache *kept = nullptr);

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    double heightFor(double width) const override;
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override;
    QString description() const override;

    const HeatmapContent &content() const { return m_content; }
    /// Another row and column of the same; none where there is no such one.
    void select(std::optional<core::Index> row, std::optional<core::Index> column);
    /// px that the title needs.
    double titleWidth() const { return m_wordsWidths[0]; }
    HeatmapGeometry geometry(const QRectF &area) const;
    /// What geometry() places, without the figure's margin: for those who lay it out within another
    /// figure.
    HeatmapRequest request(const QRectF &area) const;
    /// The same within a card of another figure: without background.
    void paintContent(QPainter &painter, const HeatmapGeometry &geometry, Device device) const;

  private:
    /// The subtitle, and which part is shown where it is not all.
    QString subtitleIn(const HeatmapGeometry &geometry) const;

    HeatmapContent m_content;
    FigureStyle m_style;
    double m_rowLabelWidth = 0;
    double m_columnLabelWidth = 0;
    std::array<double, 3> m_wordsWidths{};
};

} // namespace headlight::ui
