// Three-way merge of JSON: applies the difference between two values to the user's text.
#include "core/formats/json/text.h"

#include <algorithm>

namespace headlight::core {

namespace {

bool begins(std::string_view json, char bracket) {
    return !json.empty() && json.front() == bracket;
}

bool allBegin(char bracket, std::string_view a, std::string_view b, std::string_view c) {
    return begins(a, bracket) && begins(b, bracket) && begins(c, bracket);
}

/// Returns the text of an object's member; empty if there is none.
std::string_view memberIn(std::string_view object, const std::vector<JsonSpan> &members,
                          const std::string &name) {
    const auto found = std::ranges::find(members, name, &JsonSpan::name);
    return found == members.end() ? std::string_view()
                                  : object.substr(found->value, found->end - found->value);
}

std::string mergedObject(std::string_view typed, std::string_view before, std::string_view after) {
    const auto typedMembers = membersOf(typed), was = membersOf(before), is = membersOf(after);
    JsonEdits edits;
    for (const JsonSpan &member : was)
        if (memberIn(after, is, member.name).empty())
            edits.push_back({member.name, ""});
    for (const JsonSpan &member : is) {
        const std::string_view old = memberIn(typed, typedMembers, member.name);
        const std::string_view value = memberIn(after, is, member.name);
        edits.push_back({member.name,
                         old.empty() ? std::string(value)
                                     : jsonMerged(old, memberIn(before, was, member.name), value)});
    }
    return spliced(typed, edits);
}

/// Merges arrays of equal length by element; otherwise returns `after`.
std::string mergedArray(std::string_view typed, std::string_view before, std::string_view after) {
    const auto old = elementsOf(typed), was = elementsOf(before), is = elementsOf(after);
    if (old.size() != was.size() || was.size() != is.size())
        return std::string(after);
    std::string text;
    std::size_t at = 0;
    for (std::size_t i = 0; i < is.size(); ++i) {
        const auto begin = static_cast<std::size_t>(old[i].data() - typed.data());
        text += typed.substr(at, begin - at);
        text += jsonMerged(old[i], was[i], is[i]);
        at = begin + old[i].size();
    }
    return text + std::string(typed.substr(at));
}

} // namespace

std::string jsonMerged(std::string_view typed, std::string_view before, std::string_view after) {
    if (before == after)
        return std::string(typed);
    if (allBegin('{', typed, before, after))
        return mergedObject(typed, before, after);
    if (allBegin('[', typed, before, after))
        return mergedArray(typed, before, after);
    return std::string(after);
}

} // namespace headlight::core
