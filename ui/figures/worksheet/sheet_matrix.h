// A matrix on a worksheet: its symbol, what its rows and columns are called, and cells that are
// filled, or empty and large enough to be written in.
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
    /// One that is given.
    SheetMatrix(const core::WorksheetTask &task, const core::WorksheetMatrix &matrix,
                const FigureStyle &style, double width);
    /// The one that is asked for; `answers`: with the numbers that are to be found.
    SheetMatrix(const core::WorksheetTask &task, bool answers, const FigureStyle &style,
                double width);

    /// px; the same with answers and without.
    QSizeF size() const;
    void paint(QPainter &painter, const QPointF &place) const;
    /// In words: what it is called, and its size.
    QString description() const;

  private:
    void name(const core::WorksheetTask &task);
    void measure(double width, QSizeF cell);
    bool isBlank(std::size_t cell) const { return m_blank && (*m_blank)[cell]; }
    void paintLabels(QPainter &painter, const QRectF &grid) const;
    void paintCells(QPainter &painter, const QRectF &grid) const;

    core::WorksheetMatrix m_matrix;
    FigureStyle m_style;
    std::optional<std::vector<bool>> m_blank; ///< none: all are said
    bool m_answers = false;
    QString m_symbol, m_title, m_note;
    QStringList m_rows, m_columns;
    double m_labels = 0; ///< px beside the rows
    QSizeF m_cell;
};

/// What is filled in with --answers: told from what is given also where it is printed in grey.
QColor answerColour();

} // namespace headlight::ui
