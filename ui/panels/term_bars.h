// Terms as bars above and beneath a line, with an axis: which of them make the sum.
#pragma once

#include "ui/panels/inspector_text.h"

#include <QWidget>

namespace headlight::ui {

/// What the axes need of the space, px.
struct TermBarsAxes {
    double left = 0;  ///< the numbers beside the bars
    double above = 0; ///< what the bars are
    double line = 0;  ///< of a number at an axis; 0: there are no axes
};

/// Where the bars stand: as many in a row as fit, and as many rows as they need.
struct TermBarsGeometry {
    double width = 0;
    double rowHeight = 0; ///< of the bars and the numbers beneath them
    double barWidth = 0;  ///< with the gap after it
    double axis = 0.5;    ///< where zero is between the row's top and its bottom, 0 … 1
    double pixels = 0;    ///< of a value of 1
    double tickStep = 0;
    std::vector<double> ticks; ///< round values, zero among them
    int perRow = 1;
    int count = 0;
    TermBarsAxes axes;

    /// `lowest` ≤ 0 ≤ `highest` of the values: a side without a bar takes no space.
    static TermBarsGeometry of(int count, double width, double scale, double lowest = -1,
                               double highest = 1, const TermBarsAxes &axes = {});
    int rows() const { return count == 0 ? 0 : (count + perRow - 1) / perRow; }
    double height() const { return axes.above + rows() * rowHeight; }
    double rowTop(int row) const { return axes.above + row * rowHeight; }
    /// Of a value, in a row.
    double heightOf(double value, int row) const {
        return rowTop(row) + axis * rowHeight - value * pixels;
    }
    /// The whole place of a bar, from the row's top to its bottom.
    QRectF place(int index) const;
    QRectF bar(int index, double value) const;
    std::optional<int> at(QPointF point) const;
    /// Of so many bars one has its number beneath it, where a number is so wide.
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
    /// What the bars are: "q × k by dimension".
    QString axisName() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {40, sizeHint().height()}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

  signals:
    /// The bar under the mouse or reached with the arrow keys, in words; empty: none.
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
