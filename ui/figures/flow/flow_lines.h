// The attention as lines between words: from each row of the current matrix to the words that it
// attends to, on the matrix's right. The thicker a line, the larger the weight.
#pragma once

#include "ui/figures/heatmap/heatmap_figure.h"

#include <QCoreApplication>

namespace headlight::ui {

class FlowLines {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::FlowLines)

  public:
    /// `weights`: of the current head, in which the words attended to are the columns.
    FlowLines(HeatmapContent weights, const FigureStyle &style);

    /// A line from the middle of a row's right edge to the beginning of a word.
    struct Line {
        core::Index query = 0, key = 0;
        double weight = 0;
        QPointF from, to;
        double width = 0; ///< px
    };
    /// The thinnest first. Of the selected row alone, or where none is of all; none where nothing
    /// is attended to, or so little that it would not be seen.
    std::vector<Line> lines(const HeatmapGeometry &matrix,
                            std::optional<core::Index> selected) const;
    /// Where the word of a key stands.
    QRectF wordPlace(const HeatmapGeometry &matrix, core::Index key) const;
    /// px that the lines and the words take beside the matrix.
    double width() const { return m_linesWidth + m_wordsWidth; }
    /// "sat attends to cat 0.56, mat 0.20"; empty where no row is selected.
    QString description(std::optional<core::Index> selected) const;

    void paint(QPainter &painter, const HeatmapGeometry &matrix,
               std::optional<core::Index> selected, std::optional<core::Index> selectedKey) const;

  private:
    HeatmapContent m_weights;
    FigureStyle m_style;
    double m_linesWidth = 0, m_wordsWidth = 0;
};

} // namespace headlight::ui
