// Records which members of JSON objects the reader requested. The remaining members are unknown to
// this version, so field readers need not look for unknown members themselves.
#pragma once

#include "core/formats/json/value.h"
#include "core/formats/warning.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headlight::core {

class AskedNames {
  public:
    /// Records that the reader requested this member, whether it exists or not.
    void note(const JsonValue &object, std::string_view name);

    /// Returns up to `most` members that were not requested, in file order. Skips objects without
    /// any request, because the user chooses their names.
    std::vector<Warning> unknownIn(const JsonValue &document, std::size_t most) const;

  private:
    /// A list of names: the names of list `before`, then `name`. Readers request the same names in
    /// the same order from all objects of a kind, so there are few lists.
    struct List {
        std::uint32_t before = 0;
        std::string name;
    };
    using Longer = std::unordered_map<std::string, std::uint32_t>; // list after adding the name

    std::vector<std::string> namesIn(std::uint32_t list) const;
    void look(const JsonValue &value, const std::string &path, std::size_t most,
              std::vector<Warning> &found) const;

    std::vector<List> m_lists{1};    // list 0 is empty
    std::vector<Longer> m_longer{1}; // per list; a name already in the list maps to the list itself
    std::unordered_map<const JsonValue *, std::uint32_t> m_asked;
};

} // namespace headlight::core
