// A plot of curves over steps, with ticks, level lines, and a label at the end of each curve.
#pragma once

#include "ui/figures/base/style.h"
#include "ui/figures/training/training_content.h"

#include <QPainter>
#include <QRectF>

namespace headlight::ui {

struct CurvePlotGeometry {
    struct Label {
        QRectF rect;
        std::size_t curve = 0;
        double end = 0; ///< y of the curve's last point
    };
    struct LevelLine {
        QRectF label; ///< null if it does not fit
        double y = 0;
    };

    QRectF card;
    QRectF title;
    QRectF plot; ///< between the axes
    double lastStep = 1;
    double low = 0, high = 1;
    bool isLog = false;
    std::vector<double> steps, values; ///< ticks
    double stepWidth = 1, valueWidth = 1;
    std::vector<Label> labels;
    QRectF more; ///< text with the number of curves without a label; null if all have one
    int unlabelled = 0;
    std::vector<LevelLine> levels;
    double now = 0; ///< x of the current step

    QPointF at(const QPointF &stepAndValue) const;
    double stepAt(double x) const;
};

CurvePlotGeometry curvePlotGeometry(const TrainingContent &content,
                                    const TrainingContent::Plot &plot, const FigureStyle &style,
                                    const QRectF &card);

void paintCurvePlot(QPainter &painter, const CurvePlotGeometry &places,
                    const TrainingContent &content, const TrainingContent::Plot &plot,
                    const FigureStyle &style);

/// Returns the colour of a curve. There is one for batches, one for held-out data, one per
/// attention module, and one for the ablated run.
QColor colourOf(const TrainingContent::Curve &curve, const TrainingContent &content,
                const FigureStyle &style);

} // namespace headlight::ui
