// The computation of one attention head or another part of the model: matrices joined by arrows,
// with the current stage enlarged. The formula is below, the position in the model above.
#pragma once

#include "ui/figures/arithmetic/arithmetic_strip.h"
#include "ui/figures/close_up/attention_lines.h"
#include "ui/figures/flow/flow_geometry.h"
#include "ui/figures/flow/flow_map.h"
#include "ui/figures/flow/flow_opened.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/figures/heatmap/parameter_heatmap.h"
#include "ui/figures/text/text.h"

namespace headlight::ui {

/// The visible part of the figure on screen. The default shows a file's view.
struct FlowViewport {
    double zoom = 1;            ///< zoom of the diagram, at least 1
    QSizeF whole{};             ///< px of the whole figure if it scrolls; empty: the area's size
    QPointF pan;                ///< px by which the diagram is scrolled left and up
    std::optional<Cell> origin; ///< first cell of a matrix that is too large to be shown completely
    std::optional<double> scroll; ///< px by which the numbers are scrolled left; none: as in a file
    double besideStrip = 0;       ///< px at the right of the strip that are not part of it
    bool operator==(const FlowViewport &) const = default;
};

class FlowFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::FlowFigure)

  public:
    /// Shows the part of the model that contains the selection's stage, with this stage as the
    /// current one. For side A it is the flow of A.
    static FlowFigure fromTrace(const core::TracePointer &now, const core::Selection &selection,
                                const FigureStyle &style, const FigureOptions &options = {},
                                HeatmapCache *kept = nullptr);

    /// Returns the selection at the stage that the figure shows for it: ModelParts::shown().
    static core::Selection shown(const core::Trace &trace, const core::Selection &selection);

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    double heightFor(double width) const override;
    QSizeF readableSize(const QSizeF &sight) const override;
    QSizeF minSight() const override;
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override;
    QString description() const override;

    void paintIn(QPainter &painter, const QRectF &area, Device device,
                 const FlowViewport &viewport) const;
    FlowGeometry geometry(const QRectF &area, const FlowViewport &viewport = {}) const;
    const HeatmapFigure &current() const { return m_current; }
    const ArithmeticStrip &strip() const { return m_strip; }
    /// The position in the model; empty if the model has only one part.
    const FlowMap &map() const { return m_map; }
    core::StageId stage() const { return m_stage; }
    bool goesBack() const { return m_goesBack; }
    /// The selection at the current stage. With an expanded arithmetic it is the explained number.
    const core::Selection &selection() const { return m_selection; }
    /// Returns the content of a shown matrix; null if it is not shown.
    const HeatmapContent *contentAt(core::StageId at) const &;
    const HeatmapContent *contentAt(core::StageId at) const && = delete;
    /// The arithmetic that replaces the diagram; null if it is not expanded.
    const FlowOpened *opened() const & { return m_opened ? &*m_opened : nullptr; }
    const FlowOpened *opened() const && = delete;
    /// True if the close-up, alone or above the arithmetic, cuts no title and no row name of a
    /// small matrix.
    bool hasAllWords(const FlowGeometry &geometry) const;
    /// The operands and result of the current stage, if they may replace the diagram.
    const FlowCloseUp *closeUp() const & { return m_closeUp ? &*m_closeUp : nullptr; }
    const FlowCloseUp *closeUp() const && = delete;
    /// Returns the parameter matrix that produces the stage; null if there is none or they are
    /// hidden.
    const ParameterHeatmap *learnedOf(core::StageId at) const &;
    const ParameterHeatmap *learnedOf(core::StageId at) const && = delete;
    /// The attention lines; null if disabled or if the current stage's rows are not queries.
    const AttentionLines *lines() const & { return m_lines ? &*m_lines : nullptr; }
    const AttentionLines *lines() const && = delete;
    /// Returns the selection with the next head or sequence of a stack in front, wrapping around at
    /// the end.
    core::Selection turned(const core::Selection &selection, core::StageId at) const;
    /// Returns "head 1 of 2 comes to the front".
    QString wordsOfTurn(const core::Selection &selection, core::StageId at) const;

  private:
    struct Part {
        core::StageId at;
        FlowCell place;
        bool isLater = false; ///< computed after the current stage
        QString symbol;
        QString name;
        HeatmapContent content;
        core::Shape shape;                       ///< shape of a missing content
        std::optional<ParameterHeatmap> learned; ///< parameter matrix that produces it
        core::Index heads = 1;                   ///< number of heads with a matrix of this kind
        core::Index sharing = 1;                 ///< number of heads that share each matrix
        core::Index sequences = 1;               ///< number of sequences with a matrix of this kind

        core::Index rows() const { return matrixSize(content.matrix().rows, 1); }
        core::Index columns() const { return matrixSize(content.matrix().columns, 0); }

      private:
        core::Index matrixSize(core::Index shown, std::size_t fromEnd) const {
            return shown > 0 ? shown : shape.last(fromEnd);
        }
    };
    static FlowFigure made(const core::TracePointer &trace, const core::Selection &selection,
                           const FigureStyle &style, const FigureOptions &options,
                           HeatmapCache *kept);
    FlowFigure(std::vector<Part> parts, std::vector<FlowLink> links, core::StageId stage,
               HeatmapFigure current, FlowMap map, ArithmeticStrip strip, FigureStyle style);
    void paintOpened(QPainter &painter, const FlowGeometry &geometry, Device device,
                     bool isZoomed) const;
    /// Paints the elements around the diagram: the map, the formula and the legend of the outlines.
    void paintStrip(QPainter &painter, const FlowGeometry &geometry,
                    const FlowViewport &viewport) const;
    void paintNode(QPainter &painter, const FlowNode &node, const Part &part, Device device) const;
    void paintLearned(QPainter &painter, const FlowNode &node, const Part &part,
                      Device device) const;
    /// Paints title and shape of a small matrix. A narrow title shows only its first spans.
    void paintWords(QPainter &painter, const FlowNode &node, const Spans &symbol,
                    const QString &name, const QString &shape) const;
    void placeStacks(FlowGeometry &geometry) const;
    void addLines();
    /// True if the close-up replaces the diagram in this area.
    bool isCloseUp(const QRectF &area, const FlowViewport &viewport) const;
    /// Returns the layout input without an area.
    FlowRequest requestIn(const FigureStyle &style, const HeatmapFigure &current) const;
    /// Paints the matrices of other heads or sequences as card edges behind it.
    void paintStack(QPainter &painter, const FlowGeometry &geometry, core::StageId at) const;
    /// Returns "6 × 8" or, for a batch, "(2, 6, 8)", with the head or sequence if it fits.
    QString matrixShapeText(const Part &part, double width) const;
    /// Returns all forms of the shape text, longest first.
    QStringList shapeChoices(const Part &part) const;
    /// Paints the legend of the outlines at the right of the formula if it fits.
    void paintKey(QPainter &painter, const QRectF &strip) const;
    void paintArrow(QPainter &painter, const FlowArrow &arrow) const;
    /// Returns the symbol in its colour and `rest` in a muted colour.
    Spans titleOfNode(const Part &part, const QString &rest) const;
    const Part *part(core::StageId at) const &;
    bool isLater(core::StageId at) const;

    std::vector<Part> m_parts;
    std::vector<FlowLink> m_links;
    core::StageId m_stage;
    core::Selection m_selection;
    bool m_goesBack = false; ///< shows gradients, with arrows from each result to its operands
    core::Index m_head = 0;  ///< head in front
    HeatmapFigure m_current;
    std::optional<AttentionLines> m_lines;
    FlowMap m_map;
    ArithmeticStrip m_strip;
    FigureStyle m_style;
    FlowRequest m_request; ///< layout input in the figure's own style, without an area
    std::optional<FlowOpened> m_opened;
    std::optional<FlowCloseUp> m_closeUp; ///< null unless requested
};

} // namespace headlight::ui
