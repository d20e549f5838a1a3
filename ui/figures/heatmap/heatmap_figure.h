// A matrix as coloured cells with labels, numbers if they fit, and a colour bar.
#pragma once

#include "core/analysis/matrix_pyramid.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"
#include "ui/figures/base/figure.h"
#include "ui/figures/base/figure_options.h"
#include "ui/figures/base/style.h"
#include "ui/figures/colours/colour_scale.h"
#include "ui/figures/heatmap/heatmap_geometry.h"

#include <QStringList>

namespace headlight::ui {

/// An outline of a row, column or cell that the selected number was computed from.
struct HeatmapMark {
    std::optional<core::Index> row;
    std::optional<core::Index> column;
    QColor colour;
    bool isFaint = false; ///< thin line
    bool operator==(const HeatmapMark &) const = default;
};

class HeatmapCache;
class PaintingCache;

/// Content of a heatmap. Shares ownership of the tensor's data.
struct HeatmapContent {
    core::Tensor tensor;
    core::Index sequence = 0;
    core::Index head = 0;
    ColourScale scale;
    QStringList rowLabels;    ///< one per row, or empty
    QStringList columnLabels; ///< one per column, or empty
    /// Rows and columns whose labels are shown even if there is no space for every label.
    std::vector<core::Index> keptLabels{};
    QString title;
    QColor titleColour; ///< the text colour is used if this one is invalid
    QString subtitle;
    QString absence;                        ///< why there is no matrix; shown in its place
    QString rowAxis;                        ///< "query"
    QString columnAxis;                     ///< "key"
    std::shared_ptr<const core::Mask> mask; ///< hidden cells; may be null
    core::Index firstPaddingRow = -1;       ///< first padding row, shown hatched; −1: none
    /// Groups of adjacent columns of equal width. Empty for a single group.
    QStringList columnGroups; ///< names such as "head 0"
    core::Index selectedGroup = 0;
    bool columnsAreTokens = false; ///< false if the columns are dimensions
    std::optional<core::Index> selectedRow;
    std::optional<core::Index> selectedColumn;
    bool hidesWholly = true;        ///< false if a number replaces hidden scores
    bool hiddenHaveNumbers = false; ///< hidden cells show a number: −∞ before softmax, 0 after it
    QString emptyRowText;           ///< text in fully masked rows
    std::vector<Cell> setByHand;    ///< scores overridden by the user, marked in the corner
    std::vector<HeatmapMark> marks; ///< painted instead of the selection's outline
    std::optional<Cell>
        computedTo; ///< cells after this one, in reading order, are not computed yet and are faint
    bool numbers = true;
    bool showsSmall = false;                   ///< more decimals for small numbers, if they fit
    BlockNumber blocks = BlockNumber::Largest; ///< number shown by a pixel that has several cells
    /// The pyramid of a large matrix. If null, each pixel is computed from all its cells.
    std::shared_ptr<const core::MatrixPyramid> pyramid;
    QString awaited;   ///< text shown until the pyramid is computed
    int minDigits = 0; ///< px, smallest type of the numbers; 0: the usual one
    double minimumAspect = 1;
    double maximumAspect = 1;
    /// A number for each row, painted beside the matrix in a column that is not part of the matrix.
    /// May be empty.
    std::vector<float> beside;
    QString besideLabel;
    std::shared_ptr<PaintingCache>
        keptPainting; ///< cache shared with earlier figures; if null, nothing is cached

    core::SharedMatrix matrix() const { return tensor.matrix(sequence, head); }
    /// Returns a sentence about the column beside the matrix. Empty if there is none.
    QString besideWords() const;
    /// Sets the scale with the colours of the theme. Takes its scaling, the blocks and whether
    /// cells have numbers from the figure's options.
    void setScale(ColourScale colours, const FigureStyle &style, const FigureOptions &options);
    /// A row or column that does not exist is not selected.
    void select(std::optional<core::Index> row, std::optional<core::Index> column);
    bool isComputed(core::Index row, core::Index column) const {
        return !computedTo || row < computedTo->row ||
               (row == computedTo->row && column <= computedTo->column);
    }
    /// True if the query sees no key, so that its weights are all zero.
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
    /// Shows the selection's stage for the selected sequence, layer and head. If the model lacks
    /// the stage, the figure shows the reason instead.
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
    /// Sets the pyramid of the matrix. If it is null, `awaited` is shown in place of the cells.
    void setPyramid(std::shared_ptr<const core::MatrixPyramid> pyramid, QString awaited = {}) {
        m_content.pyramid = std::move(pyramid);
        m_content.awaited = std::move(awaited);
    }
    /// Selects another row and column. A row or column that does not exist is not selected.
    void select(std::optional<core::Index> row, std::optional<core::Index> column);
    /// Returns the width of the title in px.
    double titleWidth() const { return m_wordsWidths[0]; }
    HeatmapGeometry geometry(const QRectF &area) const;
    /// Returns the layout input without the figure's margin, for use within another figure.
    HeatmapRequest request(const QRectF &area) const;
    /// Paints without a background, for a card of another figure.
    void paintContent(QPainter &painter, const HeatmapGeometry &geometry, Device device,
                      CellDetail detail = CellDetail::Full) const;

  private:
    /// Returns the subtitle. Adds the visible range if only part of the matrix is shown.
    QString subtitleIn(const HeatmapGeometry &geometry) const;

    HeatmapContent m_content;
    FigureStyle m_style;
    double m_rowLabelWidth = 0;
    double m_columnLabelWidth = 0;
    std::array<double, 3> m_wordsWidths{};
};

} // namespace headlight::ui
