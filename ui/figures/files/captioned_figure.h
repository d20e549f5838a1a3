// A figure with a caption below it.
#pragma once

#include "ui/figures/base/figure.h"
#include "ui/figures/base/style.h"

#include <memory>

namespace headlight::ui {

class CaptionedFigure : public Figure {
  public:
    CaptionedFigure(std::unique_ptr<Figure> figure, QString caption, const FigureStyle &style);

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    double heightFor(double width) const override;
    /// Wraps the caption at the area's width. The caption takes up at most a third of the height,
    /// and a longer one ends in an ellipsis.
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override { return m_figure->cellCount(); }
    QString description() const override;

  private:
    QFont font() const;
    QStringList lines(double width) const;
    double textHeight(qsizetype lineCount) const;

    std::unique_ptr<Figure> m_figure;
    QString m_caption;
    FigureStyle m_style;
};

/// Returns the figure with the caption below it, or the figure itself if the caption is empty.
std::unique_ptr<Figure> captioned(std::unique_ptr<Figure> figure, const QString &caption,
                                  const FigureStyle &style);
} // namespace headlight::ui
