// The step that made a selected number, and what it reads: what a formula and an arithmetic both
// start from.
#pragma once

#include "core/explain/sources.h"

#include <string>

namespace headlight::core {

class ExplainedStep {
  public:
    /// All must live as long as this. The selection's stage is in the plan.
    ExplainedStep(const Trace &trace, const Selection &selection)
        : m_trace(trace),
          m_plan(trace.plan()),
          m_selection(selection),
          m_shown(m_plan[*m_plan.find({selection.stage, selection.attention()})]),
          m_named(m_shown.renames ? m_plan[*m_shown.renames] : m_shown),
          m_step(makerOf(m_named)),
          m_region(*regionOf(m_plan, selection)) {
        m_chain.push_back(&m_step);
        while (!m_chain.front()->reads.empty() && !m_plan[m_chain.front()->reads[0]].isNamed())
            m_chain.insert(m_chain.begin(), &m_plan[m_chain.front()->reads[0]]);
    }

  protected:
    StageId readAt(std::size_t which) const { return m_plan[m_step.reads[which]].at; }
    bool isNamed(std::size_t which) const { return m_plan[m_step.reads[which]].isNamed(); }
    Role roleOfRead(std::size_t which) const { return infoOf(readAt(which).stage).role; }
    /// What the chain begins with.
    StageId source() const { return m_plan[m_chain.front()->reads[0]].at; }
    bool has(const ParameterSlice &slice) const {
        return parameterOf(m_trace.model().parameters, slice.id) != nullptr;
    }
    /// What a person did to the matrix; null: nothing.
    const Operation *change() const {
        return m_named.changeAt(m_named.sequences() == 1 ? 0 : m_selection.sequence, m_region.head);
    }
    static std::string text(Index number) { return std::to_string(number); }

    const Trace &m_trace;
    const Plan &m_plan;
    const Selection &m_selection;
    const Step &m_shown; ///< the selection's
    const Step &m_named; ///< whose numbers these are
    const Step &m_step;  ///< that made them
    Region m_region;
    std::vector<const Step *> m_chain; ///< the steps without a name that lead to it, and it

  private:
    /// What a stage of its own copies, where that has no name.
    const Step &makerOf(const Step &step) const {
        if (!std::holds_alternative<op::Clone>(step.operation))
            return step;
        const Step &copied = m_plan[m_plan.origin(step.reads[0])];
        return copied.isNamed() ? step : copied;
    }
};

} // namespace headlight::core
