// Overlay on the presented picture: outlines the cell under the mouse and describes it in large
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
    /// `cell`: rectangle of the cell at `point`, if any. Empty `words`: shows nothing.
    void light(const std::optional<QRectF> &cell, QPointF point, const QString &words);
    const QString &words() const { return m_words; }
    const std::optional<QRectF> &cell() const { return m_cell; }
    /// Returns the text's rectangle: inside the widget, next to the cell.
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
