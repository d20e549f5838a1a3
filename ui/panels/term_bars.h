// Terms as bars above and beneath a line: which of them make the sum.
#pragma once

#include "ui/panels/inspector_text.h"

#include <QWidget>

namespace headlight::ui {

/// Where the bars stand: as many in a row as fit, and as many rows as they need.
struct TermBarsGeometry {
    double width = 0;
    double rowHeight = 0;
    double barWidth = 0; ///< with the gap after it
    double axis = 0.5;   ///< where zero is between the row's top and its bottom, 0 … 1
    double pixels = 0;   ///< of a value of 1
    int perRow = 1;
    int count = 0;

    /// `lowest` ≤ 0 ≤ `highest` of the values: a side without a bar takes no space.
    static TermBarsGeometry of(int count, double width, double scale, double lowest = -1,
                               double highest = 1);
    int rows() const { return count == 0 ? 0 : (count + perRow - 1) / perRow; }
    double height() const { return rows() * rowHeight; }
    /// The whole place of a bar, from the row's top to its bottom.
    QRectF place(int index) const;
    QRectF bar(int index, double value) const;
    std::optional<int> at(QPointF point) const;
};

class TermBars : public QWidget {
    Q_OBJECT
  public:
    explicit TermBars(QWidget *parent = nullptr);

    void setSeries(const TermSeries &series);
    void setStyle(const FigureStyle &style);
    const TermSeries &series() const { return m_series; }
    TermBarsGeometry geometryNow() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {40, sizeHint().height()}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

  signals:
    /// The bar under the mouse or reached with the arrow keys, in words; empty: none.
    void pointedAt(const QString &words);

  protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

  private:
    void point(std::optional<int> index);

    TermSeries m_series;
    FigureStyle m_style;
    double m_lowest = 0, m_highest = 0;
    std::optional<int> m_pointed;
};

} // namespace headlight::ui
