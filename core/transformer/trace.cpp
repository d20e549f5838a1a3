#include "core/transformer/trace.h"

#include "core/tensor/product.h"
#include "core/transformer/forward.h"
#include "core/transformer/made_on_thread.h"

#include <algorithm>
#include <new>

namespace headlight::core {

namespace {

bool isDetail(Part part) {
    return part == Part::Attention || part == Part::FeedForward || part == Part::Head;
}

const TraceEntry *findIn(const std::vector<TraceEntry> &entries, const std::string &name) {
    const auto found = std::ranges::find(entries, name, &TraceEntry::name);
    return found == entries.end() ? nullptr : &*found;
}

thread_local std::size_t madeHere = 0;

Site layerOf(Site site) {
    return {site.layer, Block::SelfAttention, site.stack};
}

} // namespace

Trace::Trace(Model model, Input input, TraceMasks masks, std::vector<TraceEntry> entries, Work work,
             bool isWhole)
    : m_model(std::move(model)),
      m_input(std::move(input)),
      m_masks(std::move(masks)),
      m_entries(std::move(entries)),
      m_work(std::move(work)),
      m_isWhole(isWhole) {
    for (std::size_t place = 0; place < m_entries.size(); ++place)
        m_places.emplace(m_entries[place].name, place);
}

const TraceEntry *Trace::find(std::string_view name) const {
    const auto found = m_places.find(name);
    return found == m_places.end() ? nullptr : &m_entries[found->second];
}

bool Trace::has(std::string_view name) const {
    if (find(name))
        return true;
    const auto at = findStageAnywhere(name);
    if (!at)
        return false;
    if (at->stage == Stage::HeadOutputs)
        return has(Stage::Context, at->site) && m_model.hasAttention(at->site) &&
               m_model.attention(at->site).output;
    return !m_isWhole && hasStage(m_model, at->stage, at->site);
}

Tensor Trace::stage(std::string_view name) const try {
    if (const TraceEntry *entry = find(name))
        return entry->tensor;
    const auto at = findStageAnywhere(name);
    if (!at || !has(name))
        return {};
    if (at->stage == Stage::HeadOutputs)
        return headOutputs(at->site);
    const std::scoped_lock lock(m_mutex);
    if (Tensor made = detail(*at); !made.isNull())
        return made;
    ++madeHere;
    return makeDetails(*at, {}).ok() ? detail(*at) : Tensor();
} catch (const std::bad_alloc &) {
    return {};
}

std::size_t stagesMadeOnThisThread() {
    return madeHere;
}

Tensor Trace::detail(StageAt at) const {
    const bool ofHead = infoOf(at.stage).part == Part::Head;
    if (!ofHead && m_details.layer != layerOf(at.site))
        return {};
    const TraceEntry *entry =
        findIn(ofHead ? m_details.ofHead : m_details.ofLayer, stageName(at.stage, at.site));
    return entry ? entry->tensor : Tensor();
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

bool Trace::isReady(Stage stage, Site site) const {
    if (m_isWhole || !isDetail(infoOf(stage).part) || !has(stage, site))
        return true;
    const std::unique_lock lock(m_mutex, std::try_to_lock);
    return lock && !detail({stage == Stage::HeadOutputs ? Stage::Context : stage, site}).isNull();
}

Result<TracePointer> Trace::prepared(Stage stage, Site site, std::stop_token stop) const try {
    auto trace = std::make_shared<Trace>(m_model, m_input, m_masks, m_entries, m_work, m_isWhole);
    {
        const std::scoped_lock lock(m_mutex);
        trace->m_details = m_details;
    }
    if (!trace->isReady(stage, site))
        if (Outcome made = trace->makeDetails({stage, site}, std::move(stop)); !made)
            return made.error();
    return TracePointer(std::move(trace));
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory for the layer", "text", "use a shorter text"};
}

Tensor Trace::headOutputs(Site site) const {
    if (const TraceEntry *output = find(stageName(Stage::Output, site));
        output && !output->headOutputs.isNull())
        return output->headOutputs;
    const Tensor context = stage(Stage::Context, site);
    const Parameter &weight = m_model.attention(site).output;
    if (context.isNull())
        return {};
    const Shape &heads = context.shape();
    const Shape shape{heads[0], heads[1], heads[2], weight->columns()};
    std::vector<float> values(static_cast<std::size_t>(shape.count()));
    for (Index b = 0; b < heads[0]; ++b)
        for (Index h = 0; h < heads[1]; ++h)
            multiply(context.view(b, h), weight->view().rowBlock(h * heads[3], heads[3]),
                     matrixOf(values, shape, b, h));
    return Tensor(shape, std::move(values));
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
    if (m_isWhole)
        for (const TraceEntry &entry : m_entries)
            names.push_back(entry.name);
    else
        for (const StageAt &at : stagesOf(m_model))
            names.push_back(stageName(at.stage, at.site));
    return names;
}

} // namespace headlight::core
