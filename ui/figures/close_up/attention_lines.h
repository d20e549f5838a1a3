// Attention as lines from the rows of the current matrix to the words they attend to. The words are
// listed to the right of the matrix. Thicker lines mean larger weights.
#pragma once

#include "ui/figures/heatmap/heatmap_figure.h"

#include <QCoreApplication>

namespace headlight::ui {

class AttentionLines {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::AttentionLines)

  public:
    /// `weights`: attention weights of the current head. Its columns are the words attended to.
    AttentionLines(HeatmapContent weights, const FigureStyle &style);
    /// Returns the same lines in another style.
    AttentionLines withStyle(const FigureStyle &style) const { return {m_weights, style}; }

    /// A line from the middle of a row's right edge to the start of a word.
    struct Line {
        core::Index query = 0, key = 0;
        double weight = 0;
        QPointF from, to;
        double width = 0; ///< px
    };
    /// Returns the lines of the selected row, or of all rows if none is selected, thinnest first.
    /// Omits weights that are too small to be visible.
    std::vector<Line> lines(const HeatmapGeometry &matrix,
                            std::optional<core::Index> selected) const;
    /// Returns the position of a key's word.
    QRectF wordPlace(const HeatmapGeometry &matrix, core::Index key) const;
    /// Returns the width in px of the lines and words beside the matrix.
    double width() const { return m_linesWidth + m_wordsWidth; }
    /// Returns "sat attends to cat 0.56, mat 0.20"; empty if no row is selected.
    QString description(std::optional<core::Index> selected) const;

    void paint(QPainter &painter, const HeatmapGeometry &matrix,
               std::optional<core::Index> selected, std::optional<core::Index> selectedKey) const;

  private:
    HeatmapContent m_weights;
    FigureStyle m_style;
    double m_linesWidth = 0, m_wordsWidth = 0;
};

} // namespace headlight::ui
