// Lies over the picture that is presented: outlines the cell under the mouse and says it in large
// type.
#pragma once

#include "ui/figures/base/style.h"

#include <QWidget>

#include <optional>

namespace headlight::ui {

class PointerLight : public QWidget {
    Q_OBJECT
  public:
    explicit PointerLight(QWidget *parent);

    void setStyle(const FigureStyle &style);
    /// `cell`: where it is, if there is one at `point`. No words: nothing is lit.
    void light(const std::optional<QRectF> &cell, QPointF point, const QString &words);
    const QString &words() const { return m_words; }
    const std::optional<QRectF> &cell() const { return m_cell; }
    /// Where the words stand: inside, and beside the cell.
    QRectF wordsRect() const;

  protected:
    void paintEvent(QPaintEvent *event) override;

  private:
    QRectF outline() const;

    FigureStyle m_style;
    std::optional<QRectF> m_cell;
    QPointF m_point;
    QString m_words;
};

} // namespace headlight::ui
