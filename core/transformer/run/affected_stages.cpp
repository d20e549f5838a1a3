#include "core/transformer/run/affected_stages.h"

#include "core/transformer/run/run_state.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

namespace headlight::core {

namespace {

/// Finds the steps of a plan that an edit does not affect.
class StepComparison {
  public:
    StepComparison(const Plan &plan, const Model &model, const Input &input, const Trace &before)
        : m_plan(plan),
          m_model(model),
          m_input(input),
          m_before(before),
          m_same(plan.size()),
          m_origins(plan.size()) {
        for (StepId id = 0; id < plan.size(); ++id)
            m_same[id] = isSame(id);
    }
    bool isUnaffected(StepId id) const { return m_same[id]; }

  private:
    bool isSame(StepId id) {
        const Plan &planBefore = m_before.plan();
        const Step &step = m_plan[id];
        const auto found = planBefore.find(step.at, step.inner);
        if (!found)
            return false;
        m_origins[id] = planBefore.origin(*found);
        if (step.renames)
            return isSameRead(*step.renames, *m_origins[id]);
        const Step &before = planBefore[*m_origins[id]];
        if (!makeTheSame(step.operation, before.operation) || step.shape != before.shape ||
            step.changes != before.changes || step.reads.size() != before.reads.size() ||
            !areParametersSame(step, before) ||
            !isInputSame(dependenceOf(step.operation), step.at.attention))
            return false;
        for (const Change &change : step.changes)
            if (!isInputSame(dependenceOf(change.operation), step.at.attention))
                return false;
        for (std::size_t i = 0; i < step.reads.size(); ++i)
            if (!isSameRead(m_plan.origin(step.reads[i]), planBefore.origin(before.reads[i])))
                return false;
        return true;
    }

    /// True if the step is the same as step `before` of the earlier plan.
    bool isSameRead(StepId now, StepId before) const {
        return m_same[now] && m_origins[now] == before;
    }

    bool areParametersSame(const Step &step, const Step &before) const {
        return std::ranges::equal(step.parameters, before.parameters,
                                  [this](const ParameterSlice &is, const ParameterSlice &was) {
                                      return is.split == was.split &&
                                             parameterOf(m_model.parameters, is.id) ==
                                                 parameterOf(m_before.model().parameters, was.id);
                                  });
    }

    bool isInputSame(const Dependence &on, AttentionId attention) const {
        if (!on.tokens && !on.tokenTypes && !on.lengths && !on.mask)
            return true;
        const Input &was = m_before.input();
        if (!m_input.source != !was.source)
            return false;
        const Stack stack = attention.stack;
        if ((on.tokens || on.tokenTypes) && !areTokensSame(stack))
            return false;
        if (on.lengths && !sameLengths(was.of(stack), m_input.of(stack)))
            return false;
        return !on.mask || (m_before.maskLayers(attention) ==
                                maskLayersOf(m_model.config, m_input, attention) &&
                            sameLengths(was.queries(attention), m_input.queries(attention)) &&
                            sameLengths(was.keys(attention), m_input.keys(attention)));
    }

    bool areTokensSame(Stack stack) const {
        const Batch &was = m_before.input().of(stack), &is = m_input.of(stack);
        const Vocabulary *words = m_model.vocabularyOf(stack);
        const Vocabulary *wordsBefore = m_before.model().vocabularyOf(stack);
        return (&was == &is || was == is) && m_model.embeddings == m_before.model().embeddings &&
               (words == wordsBefore || (words && wordsBefore && *words == *wordsBefore));
    }

    const Plan &m_plan;
    const Model &m_model;
    const Input &m_input;
    const Trace &m_before;
    std::vector<char> m_same;
    std::vector<std::optional<StepId>> m_origins; // origins of these steps in the earlier plan
};

/// Returns the named stages of a plan for whose steps `isWanted` is true, sorted.
template <typename Condition>
std::vector<StageId> stagesWhere(const Plan &plan, const Condition &isWanted) {
    std::vector<StageId> stages;
    for (StepId id = 0; id < plan.size(); ++id)
        if (plan[id].isNamed() && isWanted(id))
            stages.push_back(canonicalId(plan[id].at));
    std::ranges::sort(stages);
    return stages;
}

} // namespace

std::vector<StageId> unaffectedStages(const Plan &plan, const Model &model, const Input &input,
                                      const Trace &before) {
    const StepComparison compared(plan, model, input, before);
    return stagesWhere(plan, [&](StepId id) { return compared.isUnaffected(id); });
}

std::vector<StageId> recomputedStages(const Trace &now, const Trace &before) {
    const Plan &plan = now.plan();
    const StepComparison compared(plan, now.model(), now.input(), before);
    const std::set<std::string_view> computed(now.recomputed().begin(), now.recomputed().end());
    return stagesWhere(plan, [&](StepId id) {
        if (now.numbers(id).isNull())
            return !compared.isUnaffected(id);
        // A stage may now be a copy or another name of a stage that was not computed.
        const auto found = before.plan().find(plan[id].at);
        if (!found || before.numbers(*found).identity() != now.numbers(id).identity())
            return true;
        const StageId source = plan[behindCopies(plan, id)].at;
        return computed.contains(stageName(source.stage, source.attention));
    });
}

} // namespace headlight::core
