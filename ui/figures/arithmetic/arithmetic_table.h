// The arithmetic of one number, painted large: operand rows as coloured boxes, the computed rows
// and a rule below them, and the number itself in the selection colour.
#pragma once

#include "core/explain/opened.h"
#include "ui/figures/arithmetic/arithmetic_layout.h"
#include "ui/figures/base/style.h"
#include "ui/figures/text/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui {

class ArithmeticTable {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::ArithmeticTable)

  public:
    /// Explains the cell, with the row and column names of the trace.
    ArithmeticTable(const core::Trace &trace, const core::Selection &cell, FigureStyle style);
    /// Shows a single line without a table.
    ArithmeticTable(Spans line, FigureStyle style);

    /// Changes the size of all text.
    void setTextScale(double scale);
    bool isEmpty() const { return m_names.empty() && std::ranges::all_of(m_lines, &Parts::empty); }
    const core::OpenedArithmetic &arithmetic() const { return m_opened; }
    using Scroll = std::optional<ArithmeticScroll>;
    /// Without `scroll`, the columns that do not fit are summarized in one.
    ArithmeticLayout layout(const QRectF &area, const Scroll &scroll = {}) const;
    /// Returns the height used at this width, at most `most` px.
    double heightFor(double width, double most, const Scroll &scroll = {}) const;
    void paint(QPainter &painter, const QRectF &area, const Scroll &scroll = {}) const;
    /// Describes every row with its numbers and the result in words.
    QString description() const;

    /// Returns the number at `place` in a row. For columns that do not fit, returns their sum or
    /// "…".
    QString textAt(const ArithmeticLayout &layout, const ArithmeticLayout::Place &place,
                   std::size_t row) const;

  private:
    /// A piece of a line below the table.
    struct Part {
        enum class Box { None, Number, Result };
        Span span;
        Box box = Box::None;
    };
    using Parts = std::vector<Part>;

    void measure();
    /// Returns the lines below the table. Breaks a line before an operator if it would need too
    /// small a type size.
    std::vector<Parts> linesIn(double width) const;
    QString numberAt(std::size_t row, core::Index column) const;
    QString headerOf(const ArithmeticLayout::Place &place) const;
    QFont monospace(double pixels, bool bold = false) const;
    double widthOf(const Parts &line, double pixels) const;
    QFont fontOf(const Part &part, double pixels) const;
    QFont nameFont(double pixels) const;
    void paintBlock(QPainter &painter, const ArithmeticLayout &layout,
                    const ArithmeticLayout::Block &block) const;
    void paintCell(QPainter &painter, const QRectF &cell, const QString &text, std::size_t row,
                   bool isStressed, double pixels) const;
    void paintLine(QPainter &painter, const QRectF &rect, const Parts &line, double pixels) const;

    core::OpenedArithmetic m_opened;
    FigureStyle m_style;
    std::vector<Spans> m_names;
    QStringList m_columns; ///< column names; empty: columns are numbered
    std::vector<Parts> m_lines;
    QString m_note;
    std::vector<int> m_decimals;  ///< number of decimals in each row
    qsizetype m_longest = 4;      ///< number of characters that a box has space for
    ArithmeticRequest m_measured; ///< everything except the area
};

} // namespace headlight::ui
