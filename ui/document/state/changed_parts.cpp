#include "ui/document/state/changed_parts.h"

#include "core/formats/session/data/state_fields.h"

#include <algorithm>

namespace headlight::ui {

bool ChangedParts::has(const core::ParameterId &id) const {
    return std::binary_search(m_parameters.begin(), m_parameters.end(), id);
}

void ChangedParts::add(const core::ParameterId &id) {
    const auto at = std::lower_bound(m_parameters.begin(), m_parameters.end(), id);
    if (at == m_parameters.end() || *at != id)
        m_parameters.insert(at, id);
}

void ChangedParts::remove(const ChangedParts &others) {
    m_parts &= ~others.m_parts;
    keepParameters([&others](const core::ParameterId &id) { return !others.has(id); });
}

ChangedParts partsSetBy(const core::StatePatch &patch) {
    ChangedParts parts;
    core::forEachField(core::kStateFields, [&](const auto &field) {
        if (field.part != core::StatePart::Parameters && isSet(patch, field))
            parts.add(field.part);
    });
    for (const core::ParameterPatch &parameter : patch.parameters)
        parts.add(parameter.id);
    return parts;
}

} // namespace headlight::ui
