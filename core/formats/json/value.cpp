#include "core/formats/json/value.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace headlight::core {

JsonValue::JsonValue(Kind k) : kind(k) {
    if (kind == Kind::String || kind == Kind::Array || kind == Kind::Object)
        content = std::make_unique<JsonContent>();
}

// Defined here because they need the complete type JsonContent.
JsonValue::JsonValue(JsonValue &&) noexcept = default;
JsonValue &JsonValue::operator=(JsonValue &&) noexcept = default;
JsonValue::~JsonValue() = default;

const std::string &JsonValue::text() const & {
    assert(kind == Kind::String);
    return content->text;
}

const std::vector<JsonValue> &JsonValue::elements() const & {
    assert(kind == Kind::Array);
    return content->elements;
}

const std::vector<JsonMember> &JsonValue::members() const & {
    assert(kind == Kind::Object);
    return content->members;
}

const JsonValue *JsonValue::find(std::string_view name) const & {
    if (kind != Kind::Object)
        return nullptr;
    const std::vector<JsonMember> &all = content->members;
    if (content->byName.empty()) {
        const auto found = std::ranges::find(all, name, &JsonMember::name);
        return found == all.end() ? nullptr : &found->value;
    }
    const auto nameAt = [&all](std::uint32_t place) -> std::string_view { return all[place].name; };
    const auto found = std::ranges::lower_bound(content->byName, name, {}, nameAt);
    return found == content->byName.end() || nameAt(*found) != name ? nullptr : &all[*found].value;
}

void JsonValue::sortNames() {
    constexpr std::size_t kFew = 32; // up to this many members are searched linearly
    std::vector<std::uint32_t> &places = content->byName;
    if (kind != Kind::Object || content->members.size() <= kFew)
        return;
    places.resize(content->members.size());
    std::iota(places.begin(), places.end(), 0u);
    std::ranges::stable_sort(places, {}, [this](std::uint32_t place) -> std::string_view {
        return content->members[place].name;
    });
}

} // namespace headlight::core
