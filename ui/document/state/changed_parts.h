// A set of parts of a document's state, changed by the user or by an edit.
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
    /// The changed parameters, sorted.
    const std::vector<core::ParameterId> &parameters() const { return m_parameters; }
    bool any() const { return m_parts.any() || !m_parameters.empty(); }
    bool operator==(const ChangedParts &) const = default;

    /// Adds any part except StatePart::Parameters; parameters are added by id.
    void add(core::StatePart part) { m_parts.set(static_cast<std::size_t>(part)); }
    void add(const core::ParameterId &id);
    /// Removes the parts that `others` contains.
    void remove(const ChangedParts &others);
    /// Removes the parameters for which `keep(id)` returns false.
    template <typename Keep>
    void keepParameters(Keep keep) {
        std::erase_if(m_parameters, [&keep](const core::ParameterId &id) { return !keep(id); });
    }

  private:
    std::bitset<core::kStateParts> m_parts; // StatePart::Parameters is never set
    std::vector<core::ParameterId> m_parameters;
};

/// Returns the parts that the patch sets.
ChangedParts partsSetBy(const core::StatePatch &patch);

} // namespace headlight::ui
