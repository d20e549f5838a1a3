// One plot of curves over steps: axes with ticks, levels, and a label at the end of each curve.
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
        QRectF label; ///< null: there is no room
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
    QRectF more; ///< how many curves have no label; null: none
    int unlabelled = 0;
    std::vector<LevelLine> levels;
    double now = 0; ///< x of the present step

    QPointF at(const QPointF &stepAndValue) const;
    double stepAt(double x) const;
};

CurvePlotGeometry curvePlotGeometry(const TrainingContent &content,
                                    const TrainingContent::Plot &plot, const FigureStyle &style,
                                    const QRectF &card);

void paintCurvePlot(QPainter &painter, const CurvePlotGeometry &places,
                    const TrainingContent &content, const TrainingContent::Plot &plot,
                    const FigureStyle &style);

/// The curve's colour: one for batches, one for what is held out, one for each attention;
/// of a rival one for all of it.
QColor colourOf(const TrainingContent::Curve &curve, const TrainingContent &content,
                const FigureStyle &style);

} // namespace headlight::ui
