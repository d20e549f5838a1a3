// A matrix on a worksheet: its symbol, row and column names, and cells. The cells are filled in, or
// empty and large enough to write in.
#pragma once

#include "core/worksheet/task.h"
#include "ui/figures/base/style.h"
#include "ui/figures/text/text.h"

#include <QCoreApplication>
#include <QStringList>

namespace headlight::ui {

class SheetMatrix {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::SheetMatrix)

  public:
    /// Creates a given matrix.
    SheetMatrix(const core::WorksheetTask &task, const core::WorksheetMatrix &matrix,
                const FigureStyle &style, double width);
    /// Creates the matrix to fill in. If `answers` is true, it shows the numbers.
    SheetMatrix(const core::WorksheetTask &task, bool answers, const FigureStyle &style,
                double width);

    /// Returns the size in px. It is the same with and without answers.
    QSizeF size() const;
    void paint(QPainter &painter, const QPointF &place) const;
    /// Describes the matrix by its name and size.
    QString description() const;

  private:
    void name(const core::WorksheetTask &task);
    void measure(double width, QSizeF cell);
    bool isBlank(std::size_t cell) const { return m_blank && (*m_blank)[cell]; }
    void paintLabels(QPainter &painter, const QRectF &grid) const;
    void paintCells(QPainter &painter, const QRectF &grid) const;

    core::WorksheetMatrix m_matrix;
    FigureStyle m_style;
    std::optional<std::vector<bool>> m_blank; ///< cells to fill in; if unset, all cells are printed
    bool m_answers = false;
    QString m_symbol, m_title, m_note;
    QStringList m_rows, m_columns;
    double m_labels = 0; ///< px, width of the row labels
    QSizeF m_cell;
};

/// Returns the colour of answers (--answers). It differs from given numbers even in greyscale.
QColor answerColour();

} // namespace headlight::ui
