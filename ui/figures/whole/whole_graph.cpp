#include "ui/figures/whole/whole_graph.h"

#include <algorithm>
#include <limits>
#include <map>

namespace headlight::ui {

namespace {

using core::Stage;
using core::StageId;
using core::StepId;

class GraphMaker {
  public:
    GraphMaker(const core::Trace &trace, const std::vector<StageId> &own)
        : m_trace(trace), m_plan(trace.plan()), m_own(own) {
        for (const StageId &at : own)
            if (const auto step = m_plan.find(at))
                m_shown.emplace(m_plan.origin(*step), at);
    }

    WholeGraph make() {
        for (const StageId &at : m_own) {
            const auto step = m_plan.find(at);
            if (m_trace.model().captured || !step)
                linkCaptured(at);
            else if (at.stage != Stage::LayerInput) // the layer input is another layer's output
                follow(m_plan.origin(*step), at);
        }
        for (const StageId &at : m_inputs)
            m_graph.stages.push_back({at, 0});
        for (const StageId &at : m_own)
            m_graph.stages.push_back({at, 0});
        chooseColumns();
        return std::move(m_graph);
    }

  private:
    void link(StageId from, StageId to) {
        const auto isSame = [&](const WholeGraph::Link &one) {
            return one.from == from && one.to == to;
        };
        if (from != to && std::ranges::none_of(m_graph.links, isSame))
            m_graph.links.push_back({from, to});
    }

    /// Links to `to` the stages that a step reads, directly or through unnamed steps. Stages of
    /// earlier parts become inputs.
    void follow(StepId step, StageId to) {
        for (const StepId read : m_plan[step].reads) {
            const StepId origin = m_plan.origin(read);
            if (const auto shown = m_shown.find(origin); shown != m_shown.end()) {
                link(shown->second, to);
            } else if (const core::Step &from = m_plan[origin];
                       from.isNamed() && m_trace.has(from.at.stage, from.at.attention)) {
                m_inputs.push_back(from.at);
                m_shown.emplace(origin, from.at);
                link(from.at, to);
            } else {
                follow(origin, to);
            }
        }
    }

    /// Returns the part's last stage before `to` for which `accepts` returns true.
    template <typename Accepts>
    std::optional<StageId> before(StageId to, const Accepts &accepts) const {
        std::optional<StageId> found;
        for (const StageId &at : m_own) {
            if (at == to)
                break;
            if (accepts(at.stage))
                found = at;
        }
        return found;
    }

    void linkCaptured(StageId to) {
        const auto from = [&](const auto &accepts) {
            const auto found = before(to, accepts);
            if (found)
                link(*found, to);
            return found.has_value();
        };
        const auto isOneOf = [](auto... stages) {
            return [=](Stage stage) { return ((stage == stages) || ...); };
        };
        const auto isScore = [](Stage stage) {
            return core::infoOf(stage).overKeys() && stage != Stage::PositionBias;
        };
        const auto isVector = [](Stage stage) {
            const core::Role role = core::infoOf(stage).role;
            return role != core::Role::Query && role != core::Role::Key &&
                   role != core::Role::Value && !core::infoOf(stage).overKeys();
        };
        switch (core::infoOf(to.stage).role) {
        case core::Role::Query:
            from(isOneOf(Stage::ProjectedQuery, Stage::UnrotatedQuery, Stage::RotatedQuery,
                         Stage::UntunedQuery)) ||
                from(isVector);
            break;
        case core::Role::Key:
            from(isOneOf(Stage::ProjectedKey, Stage::UnrotatedKey, Stage::RotatedKey)) ||
                from(isVector);
            break;
        case core::Role::Value:
            from(isVector);
            break;
        case core::Role::Scores:
        case core::Role::Weights:
            if (to.stage == Stage::PositionBias)
                break;
            if (to.stage == Stage::BiasedScores)
                from(isOneOf(Stage::PositionBias));
            if (!from(isScore)) {
                from(isOneOf(Stage::ProjectedQuery, Stage::UnrotatedQuery, Stage::RotatedQuery,
                             Stage::UntunedQuery, Stage::Query));
                from(isOneOf(Stage::ProjectedKey, Stage::UnrotatedKey, Stage::RotatedKey,
                             Stage::Key));
            }
            break;
        case core::Role::Context:
            if (to.stage == Stage::Context)
                from(isOneOf(Stage::Value));
            [[fallthrough]];
        default:
            from([to](Stage stage) { // the weights, or the last result
                return to.stage == Stage::Context
                           ? core::infoOf(stage).overKeys()
                           : stage != Stage::Value && stage != Stage::Key && stage != Stage::Query;
            });
        }
    }

    /// Puts each stage to the right of its operands. A stage without operands in the map comes just
    /// before the first stage that reads it.
    void chooseColumns() {
        std::vector<WholeGraph::Stage> &stages = m_graph.stages;
        const auto hasSource = [&](StageId at) {
            return std::ranges::any_of(
                m_graph.links, [at](const WholeGraph::Link &link) { return link.to == at; });
        };
        for (WholeGraph::Stage &stage : stages)
            for (const WholeGraph::Link &link : m_graph.links)
                if (link.to == stage.at)
                    stage.column =
                        std::max(stage.column, stages[m_graph.indexOf(link.from)].column + 1);
        for (WholeGraph::Stage &stage : stages) {
            if (hasSource(stage.at))
                continue;
            std::size_t next = std::numeric_limits<std::size_t>::max();
            for (const WholeGraph::Link &link : m_graph.links)
                if (link.from == stage.at)
                    next = std::min(next, stages[m_graph.indexOf(link.to)].column);
            if (next != std::numeric_limits<std::size_t>::max())
                stage.column = next - 1;
        }
    }

    const core::Trace &m_trace;
    const core::Plan &m_plan;
    const std::vector<StageId> &m_own;
    std::map<StepId, StageId> m_shown; ///< stage that each step computes
    std::vector<StageId> m_inputs;
    WholeGraph m_graph;
};

} // namespace

WholeGraph WholeGraph::of(const core::Trace &trace, const ModelParts &parts,
                          const ModelPart &part) {
    return GraphMaker(trace, parts.stagesOf(part)).make();
}

std::size_t WholeGraph::columnCount() const {
    std::size_t count = 0;
    for (const Stage &stage : stages)
        count = std::max(count, stage.column + 1);
    return count;
}

std::size_t WholeGraph::indexOf(core::StageId at) const {
    const auto found = std::ranges::find(stages, at, &Stage::at);
    return static_cast<std::size_t>(found - stages.begin());
}

} // namespace headlight::ui
