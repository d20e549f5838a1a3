#include "ui/figures/flow/flow_sources.h"

#include "ui/figures/flow/flow_parts.h"

namespace headlight::ui {

FlowSources::FlowSources(const core::Trace &trace, const core::Selection &selection,
                         const FigureStyle &style)
    : m_trace(trace), m_selection(selection), m_style(style) {
    const auto selected = core::regionOf(trace.plan(), selection);
    if (!selected || !selected->row)
        return;
    m_direct = core::sourcesOf(trace, selection.sequence, *selected);
    m_ancestors = core::ancestorsOf(trace, selection.sequence, *selected);
}

std::vector<HeatmapMark> FlowSources::marksAt(core::StageAt at) const {
    const core::Plan &plan = m_trace.plan();
    const auto shown = core::regionOf(plan, atStage(m_selection, at)); // whose head is in sight
    if (!shown)
        return {};
    const auto isHere = [&](const core::Region &region) {
        return plan.origin(*plan.find(region.at)) == plan.origin(*plan.find(at)) &&
               region.head == shown->head;
    };
    std::vector<HeatmapMark> marks;
    for (const core::Region &region : m_direct)
        if (isHere(region))
            marks.push_back(
                {region.row, region.column, m_style.colourOf(core::infoOf(at.stage).role)});
    if (!marks.empty())
        return marks;
    for (const core::Region &region : m_ancestors)
        if (isHere(region) && (region.row || region.column))
            marks.push_back({region.row, region.column, m_style.mutedText, true});
    return marks;
}

} // namespace headlight::ui
