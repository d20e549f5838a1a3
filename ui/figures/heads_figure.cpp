#include "ui/figures/heads_figure.h"

#include "ui/figures/flow_formula.h"
#include "ui/figures/heatmap_painting.h"
#include "ui/figures/text.h"
#include "ui/figures/trace_heatmap.h"

#include <algorithm>

namespace headlight::ui {

HeadsFigure::HeadsFigure(std::vector<HeatmapContent> heads, HeatmapFigure enlarged,
                         core::Index selected, QString title, FigureStyle style)
    : m_heads(std::move(heads)),
      m_enlarged(std::move(enlarged)),
      m_selected(selected),
      m_title(std::move(title)),
      m_style(std::move(style)) {}

HeadsFigure HeadsFigure::fromTrace(const core::TracePointer &trace,
                                   const core::Selection &selection, const FigureStyle &style,
                                   const FigureOptions &options) {
    core::Selection place = selection;
    if (!core::infoOf(place.stage).perHead)
        place.stage = core::Stage::Weights;
    FigureOptions partOptions = options;
    partOptions.title.clear();
    const core::Tensor tensor = tensorOf(*trace, place.stage, place.layer);
    const core::Index count = tensor.shape().rank() == 4 ? tensor.shape()[1] : 0;
    std::vector<HeatmapContent> heads;
    for (core::Index head = 0; head < count; ++head) {
        core::Selection one = place;
        one.head = head;
        heads.push_back(contentOf(trace, one, style, partOptions));
    }
    QString title = options.title;
    if (title.isEmpty())
        title = tr("%1  %2 of every head, layer %3")
                    .arg(symbolOf(*trace, place.stage), titleOf(place.stage))
                    .arg(place.layer);
    return HeadsFigure(std::move(heads), HeatmapFigure::fromTrace(trace, place, style, partOptions),
                       place.head, std::move(title), style);
}

QSizeF HeadsFigure::naturalSize() const {
    const QSizeF one = m_enlarged.naturalSize();
    if (m_heads.size() <= 1)
        return {std::max(480.0, one.width() + 32), std::max(360.0, one.height() + 56)};
    return {std::max(960.0, one.width() * 2), std::max(480.0, one.height() + 56)};
}

HeadsGeometry HeadsFigure::geometry(const QRectF &area) const {
    const core::MatrixView matrix = m_enlarged.content().matrix();
    HeadsRequest request;
    request.area = area;
    request.heads = std::max<core::Index>(1, headCount());
    request.rows = std::max<core::Index>(1, matrix.rows);
    request.columns = std::max<core::Index>(1, matrix.columns);
    request.lineHeight = lineHeight(m_style.font(FigureStyle::Text::Label)) + 2;
    request.titleHeight = lineHeight(m_style.font(FigureStyle::Text::Title, true));
    request.enlarged = m_enlarged.request(QRectF());
    return HeadsGeometry::of(request);
}

void HeadsFigure::paint(QPainter &painter, const QRectF &area, Device device) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.fillRect(area, m_style.background);
    const HeadsGeometry geometry = this->geometry(area);
    drawLine(painter, geometry.title, Qt::AlignLeft, m_title,
             m_style.font(FigureStyle::Text::Title, true), m_style.text);
    const Device cells = cellCount() > kMaximumVectorCells ? Device::Raster : device;
    for (std::size_t head = 0; head < geometry.tiles.size(); ++head) {
        const HeatmapContent &content = m_heads[head];
        const bool selected = static_cast<core::Index>(head) == m_selected;
        if (selected) {
            painter.setPen(QPen(m_style.accent, 1.5));
            painter.setBrush(m_style.surface);
            painter.drawRoundedRect(geometry.tiles[head].adjusted(1, 1, -1, -1), 6, 6);
            painter.setBrush(Qt::NoBrush);
        }
        drawLine(painter, geometry.titles[head], Qt::AlignLeft,
                 tr("head %1").arg(static_cast<qlonglong>(head)),
                 m_style.font(FigureStyle::Text::Label, selected),
                 selected ? m_style.text : m_style.mutedText);
        HeatmapGeometry small;
        small.area = geometry.tiles[head];
        small.cells = geometry.matrices[head];
        small.cell = geometry.cell;
        small.rows = content.matrix().rows;
        small.columns = content.matrix().columns;
        paintCells(painter, small, content, m_style,
                   selected ? m_style.surface : m_style.background, cells);
        paintSelection(painter, small, content, m_style, 1);
    }
    if (!geometry.tiles.empty())
        paintColourBar(painter, geometry.colourBar, m_enlarged.content().scale, m_style);

    painter.setPen(QPen(m_style.accent, 1.5));
    painter.setBrush(m_style.surface);
    painter.drawRoundedRect(geometry.card.adjusted(0.75, 0.75, -0.75, -0.75), 8, 8);
    painter.setBrush(Qt::NoBrush);
    m_enlarged.paintContent(painter, geometry.enlarged, cells);
    painter.restore();
}

qint64 HeadsFigure::cellCount() const {
    return m_enlarged.cellCount() * static_cast<qint64>(m_heads.size() + 1);
}

QString HeadsFigure::description() const {
    return tr("%1: %n heatmaps. Enlarged: %2", nullptr, static_cast<int>(m_heads.size()))
        .arg(m_title, m_enlarged.description());
}

} // namespace headlight::ui
