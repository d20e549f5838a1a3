// The computation of one head, or of another part of the model, as matrices joined by arrows, the
// current stage large, its formula beneath; above it where in the model that is.
#pragma once

#include "ui/figures/flow/flow_geometry.h"
#include "ui/figures/flow/flow_lines.h"
#include "ui/figures/flow/flow_map.h"
#include "ui/figures/flow/flow_opened.h"
#include "ui/figures/flow/flow_parameters.h"
#include "ui/figures/flow/flow_strip.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/figures/text/text.h"

namespace headlight::ui {

/// What part of the figure is in sight on the screen. As it is by default, a file shows it.
struct FlowViewport {
    double zoom = 1;              ///< of the diagram; at least 1
    QSizeF whole{};               ///< px that the figure has without it; empty: the area's
    QPointF pan;                  ///< px that the diagram has gone to the left and up
    std::optional<Cell> origin;   ///< of a matrix too large to be shown whole
    std::optional<double> scroll; ///< px that the numbers have gone to the left; none: as in a file
    double besideStrip = 0;       ///< px on its right that are not the figure's
    bool operator==(const FlowViewport &) const = default;
};

class FlowFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::FlowFigure)

  public:
    /// The selection's stage is the current one, and its part of the model the one that is drawn.
    /// Of side A it is A's own flow.
    static FlowFigure fromTrace(const core::TracePointer &now, const core::Selection &selection,
                                const FigureStyle &style, const FigureOptions &options = {},
                                HeatmapCache *kept = nullptr);

    /// The selection at the stage that the figure shows for it: FlowParts::shown().
    static core::Selection shown(const core::Trace &trace, const core::Selection &selection);

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    double heightFor(double width) const override;
    QSizeF readableSize(const QSizeF &sight) const override;
    QSizeF leastSight() const override;
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override;
    QString description() const override;

    void paintIn(QPainter &painter, const QRectF &area, Device device,
                 const FlowViewport &viewport) const;
    FlowGeometry geometry(const QRectF &area, const FlowViewport &viewport = {}) const;
    const HeatmapFigure &current() const { return m_current; }
    const FlowStrip &strip() const { return m_strip; }
    /// Where in the model it is; nothing where there is just one part.
    const FlowMap &map() const { return m_map; }
    core::StageId stage() const { return m_stage; }
    bool goesBack() const { return m_goesBack; }
    /// The selection at that stage; where its arithmetic is opened, at the number that it is of.
    const core::Selection &selection() const { return m_selection; }
    /// Of a matrix that is shown; null: it is not.
    const HeatmapContent *contentAt(core::StageId at) const &;
    const HeatmapContent *contentAt(core::StageId at) const && = delete;
    /// The arithmetic that stands in place of the diagram; null: it is not opened.
    const FlowOpened *opened() const & { return m_opened ? &*m_opened : nullptr; }
    const FlowOpened *opened() const && = delete;
    /// Of the matrices that meet, where they stand alone or above their arithmetic: none lacks
    /// words of its title, or of its rows where they are few.
    bool hasAllWords(const FlowGeometry &geometry) const;
    /// The matrices that meet in the current stage, where they may stand in place of the diagram.
    const FlowCloseUp *closeUp() const & { return m_closeUp ? &*m_closeUp : nullptr; }
    const FlowCloseUp *closeUp() const && = delete;
    /// The learned matrix that makes the stage; null: none does, or they are folded away.
    const FlowParameters *learnedOf(core::StageId at) const &;
    const FlowParameters *learnedOf(core::StageId at) const && = delete;
    /// The attention as lines between words; null: they are not wanted, or the current stage has
    /// no query a row.
    const FlowLines *lines() const & { return m_lines ? &*m_lines : nullptr; }
    const FlowLines *lines() const && = delete;
    /// The selection with the next of a stack in front: of heads the next head, of a batch the next
    /// sequence; after the last the first again.
    core::Selection turned(const core::Selection &selection, core::StageId at) const;
    /// "head 1 of 2 comes to the front".
    QString wordsOfTurn(const core::Selection &selection, core::StageId at) const;

  private:
    struct Part {
        core::StageId at;
        FlowCell place;
        bool isLater = false; ///< the computation comes to it after the current one
        QString symbol;
        QString name;
        HeatmapContent content;
        core::Shape shape;                     ///< now, for where the content is missing
        std::optional<FlowParameters> learned; ///< the matrix that makes it
        core::Index heads = 1;                 ///< whose matrices are like it: it is one of them
        core::Index sharing = 1;               ///< so many heads share each of them
        core::Index sequences = 1;             ///< the same, of a batch

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
               HeatmapFigure current, FlowMap map, FlowStrip strip, FigureStyle style);
    void paintOpened(QPainter &painter, const FlowGeometry &geometry, Device device,
                     bool isZoomed) const;
    /// What stands around the diagram: where in the model it is, the formula and what the outlines
    /// mean.
    void paintStrip(QPainter &painter, const FlowGeometry &geometry,
                    const FlowViewport &viewport) const;
    void paintNode(QPainter &painter, const FlowNode &node, const Part &part, Device device) const;
    void paintLearned(QPainter &painter, const FlowNode &node, const Part &part,
                      Device device) const;
    /// Title and shape of a small matrix; of the title only the first spans where that is narrow.
    void paintWords(QPainter &painter, const FlowNode &node, const Spans &symbol,
                    const QString &name, const QString &shape) const;
    void placeStacks(FlowGeometry &geometry) const;
    void addLines();
    /// The close-up stands in place of the diagram there.
    bool isCloseUp(const QRectF &area, const FlowViewport &viewport) const;
    /// What is to be placed, but where.
    FlowRequest requestIn(const FigureStyle &style, const HeatmapFigure &current) const;
    /// The other heads' matrices, or the other sequences', as the edges of cards behind it.
    void paintStack(QPainter &painter, const FlowGeometry &geometry, core::StageId at) const;
    /// "6 × 8", of a batch "(2, 6, 8)", with what it is one of where that fits.
    QString shapeWords(const Part &part, double width) const;
    /// The same, the longest first.
    QStringList shapeChoices(const Part &part) const;
    /// What the outlines mean, on the right of the formula where there is room.
    void paintKey(QPainter &painter, const QRectF &strip) const;
    void paintArrow(QPainter &painter, const FlowArrow &arrow) const;
    /// The symbol in its colour and, muted, its name or shape.
    Spans titleOfNode(const Part &part, const QString &rest) const;
    const Part *part(core::StageId at) const &;
    bool isLater(core::StageId at) const;

    std::vector<Part> m_parts;
    std::vector<FlowLink> m_links;
    core::StageId m_stage;
    core::Selection m_selection;
    bool m_goesBack = false; ///< gradients, and arrows from what was made to what it was made from
    core::Index m_head = 0;  ///< that is in front
    HeatmapFigure m_current;
    std::optional<FlowLines> m_lines;
    FlowMap m_map;
    FlowStrip m_strip;
    FigureStyle m_style;
    FlowRequest m_request; ///< of its own style; without an area
    std::optional<FlowOpened> m_opened;
    std::optional<FlowCloseUp> m_closeUp; ///< where one is wanted
};

} // namespace headlight::ui
