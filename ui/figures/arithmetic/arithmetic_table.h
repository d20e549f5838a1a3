// The arithmetic of one number, painted large: the rows that meet as boxes in their colours, what
// is made of them beneath, a line, and the number itself in the selection's colour.
#pragma once

#include "core/explain/opened.h"
#include "ui/figures/arithmetic/arithmetic_layout.h"
#include "ui/figures/base/style.h"
#include "ui/figures/text/text.h"

#include <QCoreApplication>

namespace headlight::ui {

class ArithmeticTable {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::ArithmeticTable)

  public:
    /// Of the cell, by the trace's own names of rows and columns.
    ArithmeticTable(const core::Trace &trace, const core::Selection &cell, FigureStyle style);
    /// One line, of which nothing else is known.
    ArithmeticTable(Spans line, FigureStyle style);

    bool isEmpty() const { return m_lines.empty(); }
    const core::OpenedArithmetic &arithmetic() const { return m_opened; }
    ArithmeticLayout layout(const QRectF &area) const;
    /// px that it takes at its largest, or that there are.
    double heightFor(double width, double most) const;
    void paint(QPainter &painter, const QRectF &area) const;
    /// In words: every row with its numbers, and what it comes to.
    QString description() const;

    /// What stands in a place of a row: a number, or of those without room "…" and what they add
    /// up to.
    QString textAt(const ArithmeticLayout &layout, const ArithmeticLayout::Place &place,
                   std::size_t row) const;

  private:
    /// A piece of a line beneath.
    struct Part {
        enum class Box { None, Number, Result };
        Span span;
        Box box = Box::None;
    };
    using Parts = std::vector<Part>;

    void measure();
    QString numberAt(std::size_t row, core::Index column) const;
    QString headerOf(const ArithmeticLayout::Place &place) const;
    QFont monospace(double pixels, bool bold = false) const;
    double widthOf(const Parts &line, double pixels) const;
    QFont fontOf(const Part &part, double pixels) const;
    QFont nameFont(double pixels) const;
    void paintBlock(QPainter &painter, const ArithmeticLayout &layout,
                    const ArithmeticLayout::Block &block, bool isLast) const;
    void paintCell(QPainter &painter, const QRectF &cell, const QString &text, std::size_t row,
                   bool isStressed, double pixels) const;
    void paintLine(QPainter &painter, const QRectF &rect, const Parts &line, double pixels) const;

    core::OpenedArithmetic m_opened;
    FigureStyle m_style;
    std::vector<Spans> m_names;
    QStringList m_columns; ///< their names; none: their numbers
    std::vector<Parts> m_lines;
    QString m_note;
    std::vector<int> m_decimals;  ///< one a row
    ArithmeticRequest m_measured; ///< all but the area
};

} // namespace headlight::ui
