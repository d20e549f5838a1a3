#include "core/transformer/trace.h"

#include "core/transformer/forward.h"
#include "core/transformer/made_on_thread.h"

#include <algorithm>
#include <new>

namespace headlight::core {

namespace {

thread_local std::size_t madeHere = 0;

Site layerOf(Site site) {
    return {site.layer, Block::SelfAttention, site.stack};
}

} // namespace

Trace::Trace(Model model, Input input, TraceMasks masks, PlanPointer plan,
             std::vector<Tensor> numbers, Work work, bool isWhole)
    : m_model(std::move(model)),
      m_input(std::move(input)),
      m_masks(std::move(masks)),
      m_plan(std::move(plan)),
      m_numbers(std::move(numbers)),
      m_work(std::move(work)),
      m_isWhole(isWhole) {
    assert(m_numbers.size() == m_plan->size());
}

bool Trace::has(std::string_view name) const {
    const auto at = findStageAnywhere(name);
    return at && m_plan->find(*at);
}

Tensor Trace::stage(std::string_view name) const try {
    const auto at = findStageAnywhere(name);
    const auto step = at ? m_plan->find(*at) : std::nullopt;
    if (!step)
        return {};
    if (!m_numbers[*step].isNull())
        return m_numbers[*step];
    {
        const std::scoped_lock lock(m_mutex);
        if (Tensor made = detail(*step); !made.isNull())
            return made;
        ++madeHere;
        if (!(*m_plan)[*step].isAside)
            return makeDetails((*m_plan)[*step].at, {}).ok() ? detail(*step) : Tensor();
    }
    if (!makeAside(*step, {}).ok())
        return {};
    const std::scoped_lock lock(m_mutex);
    return detail(*step);
} catch (const std::bad_alloc &) {
    return {};
}

std::size_t stagesMadeOnThisThread() {
    return madeHere;
}

Tensor Trace::detail(StepId step) const {
    if ((*m_plan)[step].isAside)
        return m_details.asideStep == step ? m_details.aside : Tensor();
    const StageAt at = (*m_plan)[step].at;
    const bool ofHead = infoOf(at.stage).part == Part::Head;
    const std::vector<Tensor> &made = ofHead ? m_details.ofHead : m_details.ofLayer;
    const bool isThere = !made.empty() && (ofHead || m_details.layer == layerOf(at.site));
    return isThere ? made[step] : Tensor();
}

Outcome Trace::makeDetails(StageAt at, std::stop_token stop) const {
    const bool ofHead = infoOf(at.stage).part == Part::Head;
    if (!ofHead) { // first, so that never two layers' take memory
        m_details.layer.reset();
        m_details.ofLayer.clear();
    }
    auto made = ofHead ? headDetails(*this, std::move(stop))
                       : layerDetails(*this, at.site.stack, at.site.layer, std::move(stop));
    if (!made)
        return made.error();
    if (ofHead) {
        m_details.ofHead = std::move(*made);
    } else {
        m_details.ofLayer = std::move(*made);
        m_details.layer = layerOf(at.site);
    }
    return Done{};
}

/// A step that no pass makes, from what it reads.
Outcome Trace::makeAside(StepId id, std::stop_token stop) const {
    std::vector<Tensor> known = m_numbers;
    for (const StepId read : (*m_plan)[id].reads) {
        const StageAt at = (*m_plan)[read].at;
        known[read] = stage(at.stage, at.site);
        if (known[read].isNull())
            return Error{"what it is made from cannot be computed", stageName(at.stage, at.site),
                         ""};
    }
    auto made = makeSteps(
        *this, std::move(known), [id](StepId step) { return step == id; }, std::move(stop));
    if (!made)
        return made.error();
    const std::scoped_lock lock(m_mutex);
    m_details.asideStep = id;
    m_details.aside = (*made)[id];
    return Done{};
}

bool Trace::isReady(Stage stage, Site site) const {
    const auto step = m_plan->find({stage, site});
    if (!step || !m_numbers[*step].isNull() || (m_isWhole && !(*m_plan)[*step].isAside))
        return true;
    const std::unique_lock lock(m_mutex, std::try_to_lock);
    return lock && !detail(*step).isNull();
}

Result<TracePointer> Trace::prepared(Stage stage, Site site, std::stop_token stop) const try {
    auto trace =
        std::make_shared<Trace>(m_model, m_input, m_masks, m_plan, m_numbers, m_work, m_isWhole);
    {
        const std::scoped_lock lock(m_mutex);
        trace->m_details = m_details;
    }
    if (!trace->isReady(stage, site)) {
        const StepId step = *m_plan->find({stage, site});
        const bool isAside = (*m_plan)[step].isAside;
        const StageAt needed = isAside ? (*m_plan)[(*m_plan)[step].reads[0]].at
                                       : StageAt{stage, site};
        if (!trace->isReady(needed.stage, needed.site))
            if (Outcome made = trace->makeDetails(needed, stop); !made)
                return made.error();
        if (isAside)
            if (Outcome made = trace->makeAside(step, std::move(stop)); !made)
                return made.error();
    }
    return TracePointer(std::move(trace));
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory for the layer", "text", "use a shorter text"};
}

SharedMatrix Trace::matrix(Stage stage, Site site, Index sequence, Index head) const {
    const Tensor tensor = this->stage(stage, site);
    if (tensor.isNull())
        return {};
    // A capture may hold the keys of every head.
    const bool isGrouped = infoOf(stage).ofKeys() && tensor.shape()[1] < m_model.config.heads;
    return tensor.matrix(sequence, isGrouped               ? m_model.config.groupOf(head)
                                   : infoOf(stage).perHead ? head
                                                           : 0);
}

std::vector<std::string> Trace::names() const {
    std::vector<std::string> names;
    for (const Step &step : m_plan->steps())
        if (step.isNamed() && !step.isAside)
            names.push_back(stageName(step.at.stage, step.at.site));
    return names;
}

} // namespace headlight::core
