// The course of training: loss and accuracy over the steps. A measure of each head, in the plot
// beside them, shows when a head forms.
#pragma once

#include "ui/figures/base/figure.h"
#include "ui/figures/base/figure_options.h"
#include "ui/figures/training/curve_plot.h"

namespace headlight::ui {

struct TrainingGeometry {
    QRectF area, title, subtitle;
    QRectF outcome;                       ///< below the plots; null without an ablation study
    std::vector<CurvePlotGeometry> plots; ///< in the order of the content
};

class TrainingFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::TrainingFigure)
  public:
    static TrainingFigure of(const core::TrainingRunPointer &run, const core::Model &model,
                             const core::Selection &selection, const FigureStyle &style,
                             const FigureOptions &options = {});
    /// Shows the run that trained the trace's parameters, or A's run for side A.
    static TrainingFigure of(const core::TrainingRunPointer &run, const core::TracePointer &trace,
                             const core::Selection &selection, const FigureStyle &style,
                             const FigureOptions &options);

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    QSizeF readableSize(const QSizeF &sight) const override;
    QSizeF minSight() const override { return {m_style.scaled(160), m_style.scaled(120)}; }
    double heightFor(double width) const override;
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override { return 0; }
    QString description() const override;

    TrainingGeometry geometry(const QRectF &area) const;
    const TrainingContent &content() const { return m_content; }
    /// Describes the measurements at the step under the point. Empty outside the plots.
    QString words(const TrainingGeometry &places, QPointF point) const;
    /// Returns the step under the point. Unset outside the plots.
    std::optional<double> stepAt(const TrainingGeometry &places, QPointF point) const;
    /// Returns the head whose curve or label is under the point, or null.
    const TrainingContent::Curve *headAt(const TrainingGeometry &places, QPointF point) const;

  private:
    TrainingFigure(TrainingContent content, core::TrainingRunPointer run, FigureStyle style)
        : m_content(std::move(content)), m_run(std::move(run)), m_style(std::move(style)) {}
    /// True if the plots are in two columns at this width.
    bool hasColumns(double width) const;
    /// Returns the distance from the top of the figure to the plots.
    double headHeight() const;
    double columnWidth(double width) const;
    double outcomeBeneathHeads(double width) const;
    double footHeight(double width) const;
    int rowsFor(double width) const;

    TrainingContent m_content;
    core::TrainingRunPointer m_run;
    FigureStyle m_style;
};

} // namespace headlight::ui
