// Which parts of a document's state: what a person changed of it, or what an edit did.
#pragma once

#include "core/formats/session/data/state_part.h"
#include "core/transformer/model/parameter_id.h"

#include <bitset>
#include <vector>

namespace headlight::core {
struct StatePatch;
}

namespace headlight::ui {

class ChangedParts {
  public:
    bool has(core::StatePart part) const {
        return part == core::StatePart::Parameters ? !m_parameters.empty()
                                                   : m_parts[static_cast<std::size_t>(part)];
    }
    bool has(const core::ParameterId &id) const;
    /// Of StatePart::Parameters, in their order.
    const std::vector<core::ParameterId> &parameters() const { return m_parameters; }
    bool any() const { return m_parts.any() || !m_parameters.empty(); }
    bool operator==(const ChangedParts &) const = default;

    /// Any but the parameters, which are added by name.
    void add(core::StatePart part) { m_parts.set(static_cast<std::size_t>(part)); }
    void add(const core::ParameterId &id);
    /// Without those of `others`.
    void remove(const ChangedParts &others);
    /// Only the parameters for which `keep(id)` holds stay.
    template <typename Keep>
    void keepParameters(Keep keep) {
        std::erase_if(m_parameters, [&keep](const core::ParameterId &id) { return !keep(id); });
    }

  private:
    std::bitset<core::kStateParts> m_parts; // StatePart::Parameters is never set
    std::vector<core::ParameterId> m_parameters;
};

/// Those of which the patch says something.
ChangedParts partsSaidBy(const core::StatePatch &patch);

} // namespace headlight::ui
