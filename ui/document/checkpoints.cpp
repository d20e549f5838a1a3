#include "ui/document/checkpoints.h"

#include "core/transformer/model/parameter_id.h"

#include <algorithm>
#include <cstdlib>

namespace headlight::ui {

namespace {

std::size_t numbersIn(const core::ModelParameters &weights) {
    std::size_t count = 0;
    for (const core::ParameterId &id : core::allParameters(weights))
        if (const core::Parameter &parameter = parameterOf(weights, id))
            count += static_cast<std::size_t>(parameter->rows() * parameter->columns());
    return count;
}

std::size_t numbersIn(const ParameterSnapshot &learned) {
    return numbersIn(learned.weights) + numbersIn(learned.firstMoment) +
           numbersIn(learned.secondMoment);
}

} // namespace

core::AblatedRunPointer ablatedRunAt(const ParameterSnapshot &checkpoint,
                                     const core::AblatedRun &ablated) {
    auto then = std::make_shared<core::AblatedRun>(ablated);
    then->state.step = checkpoint.step;
    then->state.model.parameters = checkpoint.weights;
    then->state.firstMoment = checkpoint.firstMoment;
    then->state.secondMoment = checkpoint.secondMoment;
    return then;
}

void Checkpoints::add(const core::TrainingRun &run, const core::ModelParameters &weights) {
    std::erase_if(m_all, [&run](const Checkpoint &one) { return one.step >= run.step; });
    // The previous last checkpoint was kept only because it was the newest.
    if (m_all.size() > 1 && m_all.back().step - m_all[m_all.size() - 2].step < m_every)
        m_all.pop_back();
    m_all.push_back({{run.step, weights, run.firstMoment, run.secondMoment}});
    std::size_t numbers = numbersIn(m_all.back());
    if (run.ablated) {
        const core::TrainingState &its = run.ablated->state;
        m_all.back().ablated = {its.step, its.model.parameters, its.firstMoment, its.secondMoment};
        numbers += numbersIn(*m_all.back().ablated);
    }
    // The first checkpoint of a run has no Adam moments, so the largest size counts.
    m_each = std::max(m_each, sizeof(float) * numbers);
    while (bytes() > m_budget && m_all.size() > 2)
        thinOut();
}

void Checkpoints::clear() {
    m_all.clear();
    m_each = 0;
    m_every = 1;
}

void Checkpoints::thinOut() {
    m_every = std::max(2 * m_every, 2 * (m_all.back().step - m_all.front().step) /
                                        static_cast<core::Index>(m_all.size()));
    std::vector<Checkpoint> kept{std::move(m_all.front())};
    for (std::size_t i = 1; i < m_all.size(); ++i) {
        const bool isNewest = i + 1 == m_all.size();
        if (isNewest || m_all[i].step - kept.back().step >= m_every)
            kept.push_back(std::move(m_all[i]));
    }
    if (kept.size() == m_all.size()) // all are already far enough apart, so drop the second newest
        kept.erase(kept.end() - 2);
    m_all = std::move(kept);
}

std::size_t Checkpoints::nearest(core::Index step) const {
    const auto away = [step](const Checkpoint &one) { return std::abs(one.step - step); };
    const auto found = std::ranges::min_element(m_all, {}, away);
    return static_cast<std::size_t>(found - m_all.begin());
}

} // namespace headlight::ui
