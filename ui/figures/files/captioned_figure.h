// A figure with a caption beneath it.
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
    /// The caption takes the lines that it needs at the area's width, at most a third of its
    /// height; what is more ends in an ellipsis.
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override { return m_figure->cellCount(); }
    QString description() const override;

  private:
    QStringList lines(double width) const;
    double captionHeight(qsizetype lineCount) const;

    std::unique_ptr<Figure> m_figure;
    QString m_caption;
    FigureStyle m_style;
};

/// The figure with the caption beneath it; the figure itself where the caption is empty.
std::unique_ptr<Figure> captioned(std::unique_ptr<Figure> figure, const QString &caption,
                                  const FigureStyle &style);

} // namespace headlight::ui
