#include "core/transformer/trace.h"

#include <algorithm>

namespace headlight::core {

Trace::Trace(Model model, Input input, TraceMasks masks, std::vector<TraceEntry> entries, Work work)
    : m_model(std::move(model)),
      m_input(std::move(input)),
      m_masks(std::move(masks)),
      m_entries(std::move(entries)),
      m_work(std::move(work)) {}

const TraceEntry *Trace::find(std::string_view name) const {
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [name](const TraceEntry &entry) { return entry.name == name; });
    return found == m_entries.end() ? nullptr : &*found;
}

Tensor Trace::stage(std::string_view name) const {
    const TraceEntry *entry = find(name);
    return entry ? entry->tensor : Tensor();
}

MatrixView Trace::matrix(Stage stage, Site site, Index sequence, Index head) const {
    const Tensor tensor = this->stage(stage, site);
    const bool perHead = infoOf(stage).perHead;
    const bool grouped = infoOf(stage).ofKeys();
    // A capture may hold the keys of every head.
    const bool isGrouped = grouped && !tensor.isNull() && tensor.shape()[1] < m_model.config.heads;
    return tensor.matrix(sequence, isGrouped ? m_model.config.groupOf(head) : perHead ? head : 0);
}

std::vector<std::string> Trace::names() const {
    std::vector<std::string> names;
    names.reserve(m_entries.size());
    for (const TraceEntry &entry : m_entries)
        names.push_back(entry.name);
    return names;
}

} // namespace headlight::core
