// The tab "Training": how the model learns. A click on a head's curve selects the head.
#pragma once

#include "ui/figures/training/training_figure.h"
#include "ui/views/figure_view.h"

namespace headlight::ui {

class TrainingView : public FigureView {
    Q_OBJECT
  public:
    explicit TrainingView(Document &document, QWidget *parent = nullptr);

    /// As it is painted now; only with a figure.
    TrainingGeometry geometry() const;
    const TrainingFigure *training() const {
        return static_cast<const TrainingFigure *>(currentFigure());
    }

  protected:
    FigurePlace placeAt(QPointF point) const override;
    QString wordsAt(QPointF point) const override;
    QString termAt(QPointF point) const override;
    void paintFigure(QPainter &painter) override;
    std::optional<HeatmapGeometry> largeGeometry() const override { return std::nullopt; }
};

} // namespace headlight::ui
