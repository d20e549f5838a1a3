// One stage of the computation: its result and the operands, aligned with the rows and columns of
// the result. The formula is below, first with symbols and then with the selected numbers.
#pragma once

#include "ui/figures/arithmetic/arithmetic_strip.h"
#include "ui/figures/arithmetic/arithmetic_table.h"
#include "ui/figures/base/figure.h"
#include "ui/figures/close_up/attention_lines.h"
#include "ui/figures/close_up/close_up_geometry.h"
#include "ui/figures/close_up/close_up_parts.h"
#include "ui/figures/close_up/close_up_sheets.h"
#include "ui/figures/close_up/word_bars.h"

namespace headlight::ui {

/// Settings of the view that shows the figure. The defaults are for a file.
struct CloseUpViewport {
    double zoom = 1;
    double besideStrip = 0;                ///< px to the right of the strip, used by other controls
    std::vector<QSizeF> chips;             ///< sizes of the controls at the result's title
    bool hasHeadChip = false;              ///< the first control is for the head
    std::vector<QSizeF> headChips;         ///< sizes of the head's control at other titles
    std::vector<core::StageId> recomputed; ///< stages whose titles are marked, sorted
    /// Scrolls the terms of the open arithmetic if not all fit. If unset, some of them are added
    /// up.
    std::optional<ArithmeticScroll> tableScroll;
    bool operator==(const CloseUpViewport &) const = default;
};

class CloseUpFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::CloseUpFigure)

  public:
    /// Creates the close-up, from A's trace if side A of a comparison is shown.
    static CloseUpFigure fromTrace(const core::TracePointer &now, const core::Selection &selection,
                                   const FigureStyle &style, const FigureOptions &options = {},
                                   HeatmapCache *kept = nullptr);
    /// Returns the selection, moved to the stage that the figure shows for it.
    static core::Selection shown(const core::Trace &trace, const core::Selection &selection);

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    /// Returns `sight`: the figure never scrolls, but takes another form in a smaller area.
    QSizeF readableSize(const QSizeF &sight) const override;
    QSizeF minSight() const override;
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override;
    QString description() const override;

    static constexpr double kTableBar = 12; ///< px for a scroll bar to the right of the terms
    struct Places {
        CloseUpGeometry picture;
        QRectF title; ///< empty if there is none
        QRectF table; ///< card of the selected number's arithmetic; empty if it is not shown
        double tablePadding = 0;                     ///< px inside that card
        std::optional<ArithmeticScroll> tableScroll; ///< set if its terms may scroll
        /// Returns the padding in px on the right of that card, with space for a scroll bar if
        /// needed.
        double tableRight() const {
            return tableScroll ? std::max(tablePadding, kTableBar) : tablePadding;
        }
        /// Returns the area of the arithmetic inside its card.
        QRectF inTable() const {
            return table.adjusted(tablePadding, tablePadding, -tableRight(), -tablePadding);
        }
        QRectF strip;
        bool stripHasNumbers = true; ///< false if only the table has the numbers
        QRectF card;                 ///< around the bars; empty if there are none
        WordBars::Places bars;       ///< positions of an output row's bars
    };
    Places places(const QRectF &area, const CloseUpViewport &viewport = {}) const;
    const FigureStyle &style() const { return m_style; }
    /// Returns the text scale for this area of a view. It is the style's scale, or a smaller one if
    /// only that lets the result, or at least its selected row, have numbers. It is at least 1,
    /// even if the style has smaller text, so that no number is smaller than usual. Presentations
    /// and files always use the scale of their style.
    double fittingScale(const QRectF &area, const CloseUpViewport &viewport = {}) const;
    /// Returns the same figure with text of another size.
    CloseUpFigure withTextScale(double scale) const;
    void paintIn(QPainter &painter, const QRectF &area, Device device,
                 const CloseUpViewport &viewport) const;

    const CloseUpParts &parts() const & { return m_parts; }
    const ArithmeticStrip &strip() const & { return m_strip; }
    core::StageId stage() const { return {m_selection.stage, m_selection.attention()}; }
    const core::Selection &selection() const { return m_selection; }
    const ArithmeticTable &table() const & { return m_table; }
    /// True if the selected number's arithmetic is open.
    bool isOpened() const { return m_selection.opened && !m_table.isEmpty(); }
    /// Returns the lines between the words. Null if they are disabled or if the result's rows are
    /// not queries.
    const AttentionLines *lines() const & { return m_lines ? &*m_lines : nullptr; }
    const AttentionLines *lines() const && = delete; // would dangle
    /// Returns the other sentences of a batch. The ones that fit have positions in
    /// places().picture.sheets.
    const std::vector<CloseUpSheet> &sheets() const & { return m_sheets; }
    /// True if no title is shortened and no number is left out.
    bool isWhole(const Places &places) const;

    /// A cell of a matrix, with the rows and columns that the part shows. A bar is a cell of the
    /// result.
    struct Hit {
        const CloseUpPart *part = nullptr;
        Cell cell;
        QRectF rect;
    };
    std::optional<Hit> cellAt(const Places &places, QPointF point) const;
    /// Returns the part whose title is at the point, or null.
    const CloseUpPart *titleAt(const Places &places, QPointF point) const;
    /// Calls `visit` for every operand with its place.
    template <class Visit>
    void forEachOperand(const CloseUpGeometry &geometry, const Visit &visit) const {
        for (std::size_t i = 0; i < geometry.left.size(); ++i)
            visit(m_parts.left[i], geometry.left[i]);
        for (std::size_t i = 0; i < geometry.above.size(); ++i)
            visit(m_parts.above[i], geometry.above[i]);
    }

  private:
    CloseUpFigure(CloseUpParts parts, ArithmeticStrip strip, ArithmeticTable table,
                  const core::Selection &selection, QString title, FigureStyle style);
    /// True if a control at the result's title shows the head.
    static bool showsHead(const CloseUpGeometry &picture, const CloseUpViewport &viewport);
    /// Returns the sequence, layer and head of the result, and a remark about its numbers. Leaves
    /// out the head if a control shows it.
    QString facts(bool showsHead) const;
    CloseUpGeometry pictureIn(const QRectF &room, const QSizeF &inner,
                              const CloseUpViewport &viewport) const;
    double tableHeight(const Places &places, double width, double most) const;
    bool placeTable(Places &places, const QRectF &inner, double gap,
                    const CloseUpViewport &viewport) const;
    CloseUpShape measured(const CloseUpPart &part, bool hasRowLabels) const;
    void measure();
    void paintRecomputed(QPainter &painter, const CloseUpPart &part,
                         const CloseUpGeometry::Placed &placed) const;
    void paintPart(QPainter &painter, const CloseUpPart &part,
                   const CloseUpGeometry::Placed &placed, Device device) const;
    void paintMore(QPainter &painter, const CloseUpGeometry::Placed &placed) const;
    void paintTitle(QPainter &painter, const CloseUpPart &part,
                    const CloseUpGeometry::Placed &placed) const;
    void addLines(const core::TracePointer &trace, const FigureOptions &options,
                  HeatmapCache *kept);
    void addRow(const core::Trace &trace);
    int digits() const;
    QFont titleFont(bool bold = false) const;
    /// Calls `visit` for every part with its place, the result last.
    template <class Visit>
    void forEachPart(const CloseUpGeometry &geometry, const Visit &visit) const {
        forEachOperand(geometry, visit);
        visit(m_parts.result, geometry.result);
    }

    CloseUpParts m_parts;
    ArithmeticStrip m_strip;
    ArithmeticTable m_table;
    core::Selection m_selection;
    QString m_title;
    FigureStyle m_style;
    std::optional<AttentionLines> m_lines;
    std::optional<WordBars> m_bars; ///< set for an output over words
    std::vector<CloseUpSheet> m_sheets;
    CloseUpRequest m_request; ///< layout input without its area
    /// The lines below the symbol to the right of the result.
    struct Notes {
        double width = 0; ///< px
        int lines = 0;
    };
    Notes m_shortNotes; ///< the same lines, broken to fit a narrow picture
};

} // namespace headlight::ui
