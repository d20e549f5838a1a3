#include "core/formats/fields/asked_names.h"

#include "core/closest_name.h"
#include "core/in_quotes.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Returns the path of a member: a.name, or a["name"] if the name has characters other than
/// letters, digits and underscores.
std::string memberOf(const std::string &path, const std::string &name) {
    const bool isPlain =
        !name.empty() && name.size() <= 40 && std::ranges::all_of(name, [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   c == '_';
        });
    if (!isPlain)
        return path + "[" + inQuotes(name) + "]";
    return path.empty() ? name : path + "." + name;
}

Warning unknown(const std::string &path, const std::string &name,
                const std::vector<std::string> &known) {
    Warning warning{"unknown field; it is kept but has no effect", memberOf(path, name), "",
                    similarName(name, known)};
    if (!warning.nearest.empty())
        warning.remedy = {"did you mean %1?", inQuotes(warning.nearest)};
    return warning;
}

} // namespace

void AskedNames::note(const JsonValue &object, std::string_view name) {
    std::uint32_t &list = m_asked[&object];
    std::string text(name);
    if (const auto found = m_longer[list].find(text); found != m_longer[list].end()) {
        list = found->second;
        return;
    }
    std::uint32_t next = list;
    const std::vector<std::string> names = namesIn(list);
    if (std::ranges::find(names, text) == names.end()) {
        next = static_cast<std::uint32_t>(m_lists.size());
        m_lists.push_back({list, text});
        m_longer.emplace_back();
    }
    m_longer[list].emplace(std::move(text), next);
    list = next;
}

std::vector<std::string> AskedNames::namesIn(std::uint32_t list) const {
    std::vector<std::string> names;
    for (; list != 0; list = m_lists[list].before)
        names.push_back(m_lists[list].name);
    return names;
}

std::vector<Warning> AskedNames::unknownIn(const JsonValue &document, std::size_t most) const {
    std::vector<Warning> found;
    look(document, "", most, found);
    return found;
}

void AskedNames::look(const JsonValue &value, const std::string &path, std::size_t most,
                      std::vector<Warning> &found) const {
    using Kind = JsonValue::Kind;
    const auto holdsMore = [](const JsonValue &inner) {
        return inner.kind == Kind::Array || inner.kind == Kind::Object;
    };
    if (value.kind == Kind::Array) {
        for (std::size_t i = 0; i < value.elements().size() && found.size() < most; ++i)
            if (const JsonValue &element = value.elements()[i]; holdsMore(element))
                look(element, path + "[" + std::to_string(i) + "]", most, found);
        return;
    }
    const auto asked = m_asked.find(&value);
    if (asked == m_asked.end())
        return; // the user chooses the names in this object, as in `words`
    std::vector<std::string> known;
    for (const JsonMember &member : value.members()) {
        if (found.size() >= most)
            return;
        if (known.empty())
            known = namesIn(asked->second);
        if (std::ranges::find(known, member.name) == known.end())
            found.push_back(unknown(path, member.name, known));
        else if (holdsMore(member.value))
            look(member.value, memberOf(path, member.name), most, found);
    }
}

} // namespace headlight::core
