// Bars with the answer, to the right of the words. The bars scroll if they do not fit. A click on a
// predicted word appends it to the text.
#pragma once

#include "ui/accessibility/item_list.h"
#include "ui/figures/base/style.h"
#include "ui/strip/answer_content.h"

namespace headlight::ui {

struct AnswerGeometry {
    struct Row {
        QRectF rect; ///< whole row
        QRectF name, bar, beforeBar, number;
    };
    QRectF title;
    std::size_t first = 0; ///< bar of the first row
    std::vector<Row> rows; ///< the bars that fit
    QRectF more;           ///< shows how many classes or words are left out; empty: none
    QRectF notice;

    /// Returns the bar at this point.
    std::optional<std::size_t> barAt(QPointF point) const;
};

/// `first`: the first visible bar, or an earlier one if too few bars follow it.
AnswerGeometry answerGeometry(const AnswerContent &content, const FigureStyle &style,
                              const QSizeF &size, std::size_t first = 0);
/// Returns the height of the title and of this many bars.
double answerHeight(const FigureStyle &style, int bars);

class AnswerBars : public ItemListWidget {
    Q_OBJECT
  public:
    explicit AnswerBars(QWidget *parent = nullptr);

    void setContent(const AnswerContent &content);
    const AnswerContent &content() const { return m_content; }
    void setStyle(const FigureStyle &style);
    /// Greys the bars while new numbers are computed.
    void setStale(bool isStale);
    void leaveFocusAlone();
    AnswerGeometry geometryNow() const;

    int itemCount() const override;
    QString itemName(int index) const override;
    QRect itemRect(int index) const override;
    int currentItem() const override { return m_current; }
    void pressItem(int index) override;

  signals:
    /// The user chose a bar. `bar` is its index in the content.
    void chosen(int bar);
    /// Describes the bar under the mouse. Empty if there is none.
    void hovered(const QString &words);

  protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

  private:
    void setCurrent(int index);
    void scrollTo(std::size_t first);

    AnswerContent m_content;
    FigureStyle m_style;
    bool m_isStale = false;
    int m_current = -1; // bar that the keys act on
    int m_hovered = -1;
    std::size_t m_first = 0; // bar of the first row
    int m_wheel = 0;         // wheel angle that is less than one bar
};

} // namespace headlight::ui
