// Softmax in detail: a row's logits as bars, the softmax output and the Jacobian, or the
// distribution of dot products without and with ÷√d_k.
#pragma once

#include "ui/figures/base/figure.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/figures/softmax/softmax_bars.h"
#include "ui/figures/softmax/softmax_spread_plot.h"

namespace headlight::ui {

struct SoftmaxGeometry {
    QRectF area, title, subtitle, facts, note;
    QRectF barsCard, jacobianCard; ///< row view only
    SoftmaxBarsGeometry bars;
    HeatmapGeometry jacobian;
    QRectF spreadCard;
    SoftmaxSpreadGeometry spread;
};

class SoftmaxFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::SoftmaxFigure)
  public:
    static SoftmaxFigure of(const core::TracePointer &trace, const core::Selection &selection,
                            const core::SoftmaxLook &look, const GivenSoftmax &given,
                            const FigureStyle &style, const FigureOptions &options = {});

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    QSizeF readableSize(const QSizeF &sight) const override;
    QSizeF minSight() const override { return {m_style.scaled(160), m_style.scaled(120)}; }
    /// Scales the figure down if the area is smaller than its readable size.
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override { return m_jacobian.cellCount(); }
    QString description() const override;

    SoftmaxGeometry geometry(const QRectF &area) const;
    const SoftmaxContent &content() const { return m_content; }
    /// Describes the element at the point. Empty if there is none.
    QString words(const SoftmaxGeometry &places, QPointF point) const;

  private:
    SoftmaxFigure(SoftmaxContent content, HeatmapFigure jacobian, FigureStyle style)
        : m_content(std::move(content)),
          m_jacobian(std::move(jacobian)),
          m_style(std::move(style)) {}
    bool isRow() const { return m_content.part == core::SoftmaxPart::Row; }
    bool isBeside(const QSizeF &size) const;
    QSizeF minJacobian() const;
    /// Returns the height of the text above the cards at this width.
    double headHeight(double width) const;
    double footHeight(double width) const;
    QSizeF minBody(bool isBeside, double width) const;
    /// Paints the figure. The area must have at least the readable size.
    void paintReadable(QPainter &painter, const QRectF &area, Device device) const;

    SoftmaxContent m_content;
    HeatmapFigure m_jacobian;
    FigureStyle m_style;
};

} // namespace headlight::ui
