#include "core/transformer/trace/trace.h"

#include "core/transformer/run/forward.h"
#include "core/transformer/trace/made_on_thread.h"

#include <algorithm>
#include <new>

namespace headlight::core {

namespace {

/// Not made together with the rest of its layer, or of the output layer.
bool isSingle(const Step &step) {
    const Part part = infoOf(step.at.stage).part;
    return step.isAside || !step.isNamed() ||
           (part != Part::Attention && part != Part::FeedForward && part != Part::OutputLayer);
}

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

Tensor Trace::stage(std::string_view name) const {
    const auto at = findStageAnywhere(name);
    const auto step = at ? m_plan->find(*at) : std::nullopt;
    return step ? made(*step) : Tensor();
}

Tensor Trace::made(StepId step) const try {
    if (!m_numbers[step].isNull())
        return m_numbers[step];
    const std::scoped_lock lock(m_mutex);
    if (Tensor made = detail(step); !made.isNull())
        return made;
    ++madeHere;
    return make(step, {}).ok() ? detail(step) : Tensor();
} catch (const std::bad_alloc &) {
    return {};
}

std::size_t stagesMadeOnThisThread() {
    return madeHere;
}

Tensor Trace::detail(StepId step) const {
    if (isSingle((*m_plan)[step]))
        return m_details.single == step ? m_details.ofSingle : Tensor();
    const StageAt at = (*m_plan)[step].at;
    const bool ofHead = infoOf(at.stage).part == Part::OutputLayer;
    const std::vector<Tensor> &made = ofHead ? m_details.ofHead : m_details.ofLayer;
    const bool isThere = !made.empty() && (ofHead || m_details.layer == layerOf(at.site));
    return isThere ? made[step] : Tensor();
}

Outcome Trace::make(StepId step, std::stop_token stop) const {
    if (isSingle((*m_plan)[step]))
        return makeSingle(step, std::move(stop));
    const StageAt at = (*m_plan)[step].at;
    const bool ofHead = infoOf(at.stage).part == Part::OutputLayer;
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

/// From what the trace has, that of its details too.
Outcome Trace::makeSingle(StepId id, std::stop_token stop) const {
    std::vector<Tensor> known = m_numbers;
    for (StepId step = 0; step < m_details.ofLayer.size(); ++step)
        if (known[step].isNull())
            known[step] = m_details.ofLayer[step];
    auto made = makeSteps(
        *this, std::move(known), [id](StepId step) { return step == id; }, std::move(stop));
    if (!made)
        return made.error();
    m_details.single = id;
    m_details.ofSingle = (*made)[id];
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
    if (!trace->isReady(stage, site))
        if (Outcome made = trace->make(*m_plan->find({stage, site}), std::move(stop)); !made)
            return made.error();
    return TracePointer(std::move(trace));
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory for the layer", "text", "use a shorter text"};
}

SharedMatrix Trace::matrix(Stage stage, Site site, Index sequence, Index head) const {
    const Tensor tensor = this->stage(stage, site);
    if (tensor.isNull())
        return {};
    if (tensor.shape().rank() == 2) // a row is a sequence
        return tensor.matrix(0);
    // A capture may hold the keys of every head.
    const Index heads = m_model.headsOf(site.stack), own = tensor.shape()[1];
    const bool isGrouped = infoOf(stage).ofKeys() && own < heads;
    return tensor.matrix(sequence, isGrouped               ? head * own / heads
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
