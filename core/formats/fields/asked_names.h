// Which members of a document's objects its reader has asked for. What nobody asked for is a field
// that this version does not know; a field's reader need not say so itself.
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
    /// The reader asks the object for a member, whether it has one or not.
    void note(const JsonValue &object, std::string_view name);

    /// The members of objects that were asked for others only, in the order of the file, at most so
    /// many. An object whose names a person chose was asked for none.
    std::vector<Warning> unknownIn(const JsonValue &document, std::size_t most) const;

  private:
    /// A list of names, as one more name behind another list. Objects of one kind are asked for the
    /// same names in the same order, so there are few lists.
    struct List {
        std::uint32_t before = 0;
        std::string name;
    };
    using Longer = std::unordered_map<std::string, std::uint32_t>; // by the next name

    std::vector<std::string> namesIn(std::uint32_t list) const;
    void look(const JsonValue &value, const std::string &path, std::size_t most,
              std::vector<Warning> &found) const;

    std::vector<List> m_lists{1};    // the first is empty
    std::vector<Longer> m_longer{1}; // of each list; the list itself where it has the name
    std::unordered_map<const JsonValue *, std::uint32_t> m_asked;
};

} // namespace headlight::core
