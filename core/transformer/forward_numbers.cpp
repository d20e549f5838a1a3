#include "core/transformer/forward_numbers.h"

#include <algorithm>

namespace headlight::core {

Outcome ForwardNumbers::prepareLayer(Stack stack, Index layer, const std::stop_token &stop) {
    const Site site(layer, Block::SelfAttention, stack);
    if (m_trace.isWhole() || m_layer == site)
        return Done{};
    m_layer = Site(-1);
    m_details.clear(); // before the others take memory
    auto details = layerDetails(m_trace, stack, layer, stop);
    if (!details)
        return details.error();
    m_details = std::move(*details);
    m_layer = site;
    return Done{};
}

Outcome ForwardNumbers::prepareHead(const std::stop_token &stop) {
    if (m_trace.isWhole())
        return Done{};
    auto details = headDetails(m_trace, stop);
    if (!details)
        return details.error();
    m_details = std::move(*details);
    return Done{};
}

Tensor ForwardNumbers::stage(Stage stage, Site site) const {
    const std::string name = stageName(stage, site);
    if (const TraceEntry *entry = m_trace.find(name))
        return entry->tensor;
    const auto found = std::ranges::find(m_details, name, &TraceEntry::name);
    return found == m_details.end() ? Tensor() : found->tensor;
}

} // namespace headlight::core
