// One row of the output as bars: a word or class on each line, largest first.
#pragma once

#include "ui/figures/heatmap/heatmap_figure.h"

#include <QCoreApplication>
#include <QPainter>

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace headlight::ui {

class WordBars {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::WordBars)

  public:
    /// `content` is a matrix with one column per word, named by the column labels. Shows the
    /// selected row, or the last one that is not padding.
    static WordBars of(const HeatmapContent &content);
    /// Shows one row of a matrix. `nameOf` returns the name of a column.
    static WordBars ofRow(std::span<const float> numbers, core::Index row, const QString &rowName,
                          std::optional<core::Index> selected, const QColor &colour,
                          const std::function<QString(core::Index)> &nameOf);

    struct Row {
        Cell cell; ///< cell in the matrix
        QRectF rect, name, bar, number;
    };
    struct Places {
        QRectF title;
        std::vector<Row> rows; ///< the largest values that fit, and the selected word
        double zero = 0;       ///< x at which the bars begin
        std::optional<std::size_t> rowAt(QPointF point) const;
    };
    Places places(const QRectF &area, const FigureStyle &style) const;
    void paint(QPainter &painter, const Places &places, const FigureStyle &style) const;
    /// Returns the title and the largest values as text.
    QString description() const;

  private:
    struct Bar {
        core::Index column = 0;
        float value = 0;
        QString name, number;
    };
    QString title() const;

    core::Index m_row = 0;
    QString m_rowName;
    std::optional<core::Index> m_selected;
    std::vector<Bar> m_bars; ///< largest first
    core::Index m_words = 0;
    QColor m_colour;
};

} // namespace headlight::ui
