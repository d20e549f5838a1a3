// Every head of a layer as a small heatmap, one of them enlarged with its numbers.
#pragma once

#include "ui/figures/heads_geometry.h"
#include "ui/figures/heatmap_figure.h"

namespace headlight::ui {

class HeadsFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::HeadsFigure)

  public:
    /// The selection's stage in every head; a stage that is not per head shows the attention
    /// weights.
    static HeadsFigure fromTrace(const core::TracePointer &trace, const core::Selection &selection,
                                 const FigureStyle &style, const FigureOptions &options = {});

    QSizeF naturalSize() const override;
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override;
    QString description() const override;

    HeadsGeometry geometry(const QRectF &area) const;
    core::Index headCount() const { return static_cast<core::Index>(m_heads.size()); }
    const HeatmapContent &head(core::Index index) const {
        return m_heads[static_cast<std::size_t>(index)];
    }
    const HeatmapFigure &enlarged() const { return m_enlarged; }

  private:
    HeadsFigure(std::vector<HeatmapContent> heads, HeatmapFigure enlarged, core::Index selected,
                QString title, FigureStyle style);

    std::vector<HeatmapContent> m_heads;
    HeatmapFigure m_enlarged;
    core::Index m_selected;
    QString m_title;
    FigureStyle m_style;
};

} // namespace headlight::ui
