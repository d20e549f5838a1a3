// The step that computed a selected value, and its inputs. Common base of formulas and arithmetic.
#pragma once

#include "core/explain/meaning.h"
#include "core/explain/sources.h"
#include "core/transformer/run/operands.h"

#include <string>

namespace headlight::core {

class ExplainedStep {
  public:
    /// All arguments must outlive this object. The plan must contain the selected stage. Builds
    /// m_chain by walking back over unnamed steps, because lines can refer only to named stages.
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
    /// Returns the named stage that the chain starts from.
    StageId source() const { return m_plan[m_chain.front()->reads[0]].at; }
    bool has(const ParameterSlice &slice) const {
        return parameterOf(m_trace.model().parameters, slice.id) != nullptr;
    }
    /// Returns the intervention on the matrix; null if there is none.
    const Operation *change() const {
        return m_named.changeAt(m_named.sequences() == 1 ? 0 : m_selection.sequence, m_region.head);
    }
    static std::string text(Index number) { return std::to_string(number); }

    const Trace &m_trace;
    const Plan &m_plan;
    const Selection &m_selection;
    const Step &m_shown; ///< step of the selected stage
    const Step &m_named; ///< step that the selected stage renames, or m_shown
    const Step &m_step;  ///< step that computed the values of m_named
    Region m_region;
    std::vector<const Step *> m_chain; ///< unnamed steps that lead to m_step, then m_step itself

    StepId idOf(const Step &step) const {
        return static_cast<StepId>(&step - m_plan.steps().data());
    }
    /// Returns the selected part of the matrix of m_step, or of another step in the chain.
    Slice sliceAt(const Step &step) const {
        return {idOf(step), headRead(m_region.head, m_named.heads(), step.heads()), m_region.row,
                m_region.column};
    }

  private:
    /// Returns the unnamed step that a cloning stage copies, or the step itself if it does not
    /// clone one.
    const Step &makerOf(const Step &step) const {
        const Slice all{idOf(step), 0, {}, {}};
        if (!meaningOf(m_trace, m_selection.sequence, all).isClone())
            return step;
        const Step &copied = m_plan[m_plan.origin(step.reads[0])];
        return copied.isNamed() ? step : copied;
    }
};

} // namespace headlight::core
