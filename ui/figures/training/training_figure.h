// How a model learns: loss and accuracy over the steps of its run, and beside them one measure of
// its heads, so that one sees a head being born.
#pragma once

#include "ui/figures/base/figure.h"
#include "ui/figures/base/figure_options.h"
#include "ui/figures/training/curve_plot.h"

namespace headlight::ui {

struct TrainingGeometry {
    QRectF area, title, subtitle;
    QRectF outcome;                       ///< beneath the plots; null: nothing races
    std::vector<CurvePlotGeometry> plots; ///< as those of the content
};

class TrainingFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::TrainingFigure)
  public:
    static TrainingFigure of(const core::TrainingRunPointer &run, const core::Model &model,
                             const core::Selection &selection, const FigureStyle &style,
                             const FigureOptions &options = {});
    /// The run that the trace's weights are of, or of side A A's.
    static TrainingFigure of(const core::TrainingRunPointer &run, const core::TracePointer &trace,
                             const core::Selection &selection, const FigureStyle &style,
                             const FigureOptions &options);

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    QSizeF readableSize(const QSizeF &sight) const override;
    QSizeF leastSight() const override { return {m_style.scaled(160), m_style.scaled(120)}; }
    double heightFor(double width) const override;
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override { return 0; }
    QString description() const override;

    TrainingGeometry geometry(const QRectF &area) const;
    const TrainingContent &content() const { return m_content; }
    /// What was measured at the step under the point; empty: it is in no plot.
    QString words(const TrainingGeometry &places, QPointF point) const;
    /// Under the point; none: it is in no plot.
    std::optional<double> stepAt(const TrainingGeometry &places, QPointF point) const;
    /// The head whose curve, or label, is under the point; null: there is none.
    const TrainingContent::Curve *headAt(const TrainingGeometry &places, QPointF point) const;

  private:
    TrainingFigure(TrainingContent content, core::TrainingRunPointer run, FigureStyle style)
        : m_content(std::move(content)), m_run(std::move(run)), m_style(std::move(style)) {}
    /// Of so many pixels the plots stand in two columns.
    bool hasColumns(double width) const;
    /// From the figure's top to the plots.
    double headHeight() const;
    /// What stands beneath the plots, with the margin above it.
    double columnWidth(double width) const;
    double outcomeBeneathHeads(double width) const;
    double footHeight(double width) const;
    int rowsFor(double width) const;

    TrainingContent m_content;
    core::TrainingRunPointer m_run;
    FigureStyle m_style;
};

} // namespace headlight::ui
