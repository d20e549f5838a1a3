#include "ui/figures/whole/source_marks.h"

#include "ui/figures/parts/model_parts.h"

namespace headlight::ui {

SourceMarks::SourceMarks(const core::Trace &trace, const core::Selection &selection,
                         const FigureStyle &style)
    : m_trace(trace), m_selection(selection), m_style(style) {
    m_selected = core::regionOf(trace.plan(), selection);
    if (!m_selected || !m_selected->row)
        return;
    m_direct = core::sourcesOf(trace, selection.sequence, *m_selected);
    m_ancestors = core::ancestorsOf(trace, selection.sequence, *m_selected);
}

SourceMarks::Regions SourceMarks::at(core::StageId at, const Regions &regions) const {
    const core::Plan &plan = m_trace.plan();
    const auto shown = core::regionOf(plan, atStage(m_selection, at)); // in the visible head
    Regions found;
    for (const core::Region &region : regions)
        if (shown && region.head == shown->head &&
            plan.origin(*plan.find(region.at)) == plan.origin(*plan.find(at)))
            found.push_back(region);
    return found;
}

std::vector<HeatmapMark> SourceMarks::marksAt(core::StageId at) const {
    std::vector<HeatmapMark> marks;
    for (const core::Region &region : this->at(at, m_direct))
        marks.push_back({region.row, region.column, m_style.colourOf(core::infoOf(at.stage).role)});
    if (!marks.empty())
        return marks;
    for (const core::Region &region : this->at(at, m_ancestors))
        if (region.row || region.column)
            marks.push_back({region.row, region.column, m_style.mutedText, true});
    return marks;
}

std::optional<HeatmapMark> SourceMarks::learnedMarkAt(core::StageId at) const {
    const QColor colour = m_style.colourOf(core::infoOf(at.stage).role);
    if (m_selected && m_selected->column && m_selected->at == at)
        return HeatmapMark{{}, m_selected->column, colour};
    for (const core::Region &region : this->at(at, m_ancestors))
        if (region.column)
            return HeatmapMark{{}, region.column, m_style.mutedText, true};
    return std::nullopt;
}

} // namespace headlight::ui
