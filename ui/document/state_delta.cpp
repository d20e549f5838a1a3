#include "ui/document/state_delta.h"

#include <utility>

namespace headlight::ui {

/// Calls visit(std::integral_constant) with the index of each field in kDocumentFields.
template <typename Visit>
void StateDelta::forEachIndex(Visit visit) {
    [&]<std::size_t... index>(std::index_sequence<index...>) {
        (visit(std::integral_constant<std::size_t, index>()), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<FieldDeltas>>());
}

StateDelta::StateDelta(const DocumentState &before, const DocumentState &after) {
    forEachIndex([&](auto index) {
        const auto &field = std::get<index>(kDocumentFields);
        std::get<index>(m_deltas) = {valueIn(before, field), valueIn(after, field)};
    });
}

DocumentState StateDelta::before(DocumentState present) const {
    return laid(std::move(present), Way::Back);
}

DocumentState StateDelta::after(DocumentState present) const {
    return laid(std::move(present), Way::Forward);
}

DocumentState StateDelta::laid(DocumentState state, Way way) const {
    forEachIndex([&](auto index) {
        std::get<index>(m_deltas).lay(valueIn(state, std::get<index>(kDocumentFields)), way);
    });
    return state;
}

StateDelta StateDelta::then(const StateDelta &later) const {
    StateDelta both;
    forEachIndex([&](auto index) {
        std::get<index>(both.m_deltas) =
            std::get<index>(m_deltas).then(std::get<index>(later.m_deltas));
    });
    return both;
}

bool StateDelta::empty() const {
    bool empty = true;
    forEachIndex([&](auto index) { empty = empty && std::get<index>(m_deltas).empty(); });
    return empty;
}

ChangedParts StateDelta::parts() const {
    ChangedParts parts;
    forEachIndex([&](auto index) {
        const auto &delta = std::get<index>(m_deltas);
        const auto &field = std::get<index>(kDocumentFields);
        if constexpr (requires { delta.addTo(parts); })
            delta.addTo(parts);
        else if constexpr (requires { field.part; })
            if (!delta.empty())
                parts.add(field.part);
    });
    return parts;
}

std::size_t StateDelta::bytes() const {
    std::size_t bytes = sizeof(StateDelta);
    forEachIndex([&](auto index) { bytes += std::get<index>(m_deltas).bytes(); });
    return bytes;
}

} // namespace headlight::ui
