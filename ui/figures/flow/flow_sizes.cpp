// Sizes of a flow: natural, minimum and readable. Also builds the layout input.
#include "ui/figures/base/spacing.h"
#include "ui/figures/flow/flow_figure.h"
#include "ui/figures/heatmap/trace_heatmap.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight::ui {

QSizeF FlowFigure::naturalSize() const {
    return {std::max(960.0, m_style.scaled(900)), std::max(600.0, m_style.scaled(560))};
}

QSizeF FlowFigure::minimumSize() const {
    if (m_opened)
        return FlowOpened::minimumSize(m_style) + QSizeF(0, m_map.height(m_style));
    std::array<bool, kFlowColumns> used{};
    for (const Part &part : m_parts)
        used[part.place.column] = true;
    const auto columns = static_cast<double>(std::ranges::count(used, true));
    const auto over =
        static_cast<double>(std::ranges::count(m_links, FlowRoute::Over, &FlowLink::route));
    const double title = lineHeight(m_style.font(FigureStyle::Text::Body, true)) + 1;
    const double others =
        (columns - 1) * (flowColumnWidth(columns, title) + flowColumnGap(columns));
    const double width =
        std::max(320 + m_style.scaled(280),
                 columns > 4 ? others + m_style.scaled(240) + 2 * kFigureMargin : 0);
    const double crowded = columns > 4 ? 40 : 0; // otherwise the current stage would be small too
    return {width, 150 + m_style.scaled(250) + crowded + over * kFlowLane + m_map.height(m_style)};
}

/// An expanded arithmetic is below its matrices and needs more height.
double FlowFigure::heightFor(double width) const {
    return std::max(Figure::heightFor(width), m_opened ? std::ceil(0.75 * width) : 0);
}

FlowRequest FlowFigure::requestIn(const FigureStyle &style, const HeatmapFigure &current) const {
    const QFont body = style.font(FigureStyle::Text::Body);
    const QFont label = style.font(FigureStyle::Text::Label);
    FlowRequest request;
    request.formulaHeight =
        m_opened ? ArithmeticStrip::heightOfFormula(style) : ArithmeticStrip::heightFor(style);
    for (const Part &part : m_parts) {
        request.stages.push_back({part.at, part.place.column, part.place.parallel, part.rows(),
                                  part.columns(), spansWidth(titleOfNode(part, part.name), body)});
        FlowStage &stage = request.stages.back();
        const QStringList shapes = shapeChoices(part);
        stage.shapeWidth = textWidth(shapes.last(), label);
        stage.longShapeWidth = textWidth(shapes.first(), label);
        stage.symbolWidth = spansWidth({titleOfNode(part, {}).first()}, body);
        if (!part.learned)
            continue;
        const core::ParameterSample &sample = part.learned->sample;
        const double shape = textWidth(shapeText(sample.rows, sample.columns), label);
        stage.learned =
            FlowSize{sample.numbers.rows,
                     sample.numbers.columns,
                     spansWidth(part.learned->title(ParameterHeatmap::name(), style), body),
                     shape,
                     shape,
                     spansWidth(part.learned->symbol, body)};
    }
    request.links = m_links;
    request.current = m_stage;
    request.titleHeight = lineHeight(style.font(FigureStyle::Text::Body, true)) + 1;
    request.lineHeight = lineHeight(label) + 1;
    request.textScale = style.textScale;
    request.large = current.request(QRectF());
    request.large.window = true;
    if (m_lines)
        request.large.linesWidth = m_lines->width() * style.textScale / m_style.textScale;
    return request;
}

QSizeF FlowFigure::readableSize(const QSizeF &sight) const {
    if (m_opened) // it adapts to the available space
        return sight;
    const auto in = [&](FlowRequest request, const FigureStyle &style) {
        request.area = QRectF(0, 0, sight.width(), sight.height() - m_map.height(style));
        return request;
    };
    const FlowRequest own = in(m_request, m_style);
    const FigureStyle usual = m_style.withUsualText();
    const QSizeF size = readableArea(
        own, m_style.textScale > 1
                 ? in(requestIn(usual, HeatmapFigure(m_current.content(), usual)), usual)
                 : own);
    return {size.width(), size.height() + m_map.height(m_style)};
}

QSizeF FlowFigure::minSight() const {
    const double strip = ArithmeticStrip::heightFor(m_style) + 2 * kFigureMargin;
    return {260, m_map.height(m_style) + strip + 150};
}

} // namespace headlight::ui
