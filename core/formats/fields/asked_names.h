// Records which members of JSON objects the reader requested. The others are fields that this
// version does not know, so no field reader needs to detect them.
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

    /// Returns at most `most` members that were not requested, in file order. Skips objects without
    /// any request: their names are chosen by the user.
    std::vector<Warning> unknownIn(const JsonValue &document, std::size_t most) const;

  private:
    /// A list of names, stored as a name that extends another list. Objects of one kind request the
    /// same names in the same order, so there are few lists.
    struct List {
        std::uint32_t before = 0;
        std::string name;
    };
    using Longer = std::unordered_map<std::string, std::uint32_t>; // by added name

    std::vector<std::string> namesIn(std::uint32_t list) const;
    void look(const JsonValue &value, const std::string &path, std::size_t most,
              std::vector<Warning> &found) const;

    std::vector<List> m_lists{1};    // the first list is empty
    std::vector<Longer> m_longer{1}; // by list; a list that has the name extends to itself
    std::unordered_map<const JsonValue *, std::uint32_t> m_asked;
};

} // namespace headlight::core
