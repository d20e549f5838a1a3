// Terms as bars above and below a zero line, with an axis, to show which terms dominate the sum.
#pragma once

#include "ui/panels/inspector_text.h"

#include <QWidget>

namespace headlight::ui {

/// Space that the axes need, px.
struct TermBarsAxes {
    double left = 0;  ///< width of the numbers next to the bars
    double above = 0; ///< height of the caption above the bars
    double line = 0;  ///< line height of an axis number; 0: no axes
};

/// Layout of the bars, in as many rows as are needed.
struct TermBarsGeometry {
    double width = 0;
    double rowHeight = 0; ///< height of the bars and the numbers below them
    double barWidth = 0;  ///< px, including the gap after the bar
    double axis = 0.5;    ///< position of zero between the row's top (0) and bottom (1)
    double pixels = 0;    ///< height of a value of 1
    double tickStep = 0;
    std::vector<double> ticks; ///< round values, including zero
    int perRow = 1;
    int count = 0;
    TermBarsAxes axes;

    /// `lowest` ≤ 0 ≤ `highest`: range of the values. A side without a bar takes no space.
    static TermBarsGeometry of(int count, double width, double scale, double lowest = -1,
                               double highest = 1, const TermBarsAxes &axes = {});
    int rows() const { return count == 0 ? 0 : (count + perRow - 1) / perRow; }
    double height() const { return axes.above + rows() * rowHeight; }
    double rowTop(int row) const { return axes.above + row * rowHeight; }
    /// Returns the y coordinate of a value in a row.
    double heightOf(double value, int row) const {
        return rowTop(row) + axis * rowHeight - value * pixels;
    }
    /// Returns the whole column of a bar, from the row's top to its bottom.
    QRectF place(int index) const;
    QRectF bar(int index, double value) const;
    std::optional<int> at(QPointF point) const;
    /// Returns n such that numbers of this width fit below every n-th bar.
    int labelStep(double labelWidth) const;
};

class TermBars : public QWidget {
    Q_OBJECT
  public:
    explicit TermBars(QWidget *parent = nullptr);

    void setSeries(const TermSeries &series);
    void setStyle(const FigureStyle &style);
    const TermSeries &series() const { return m_series; }
    TermBarsGeometry geometryNow() const { return geometryAt(width()); }
    TermBarsGeometry geometryAt(double width) const;
    /// Names what the bars show: "q × k by dimension".
    QString axisName() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {40, sizeHint().height()}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

  signals:
    /// The bar under the mouse or reached with the arrow keys, in words. Empty if there is none.
    void pointedAt(const QString &words);

  protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

  private:
    void paintAxes(QPainter &painter, const TermBarsGeometry &places) const;
    void point(std::optional<int> index);

    TermSeries m_series;
    FigureStyle m_style;
    double m_lowest = 0, m_highest = 0;
    std::optional<int> m_pointed;
};

} // namespace headlight::ui
