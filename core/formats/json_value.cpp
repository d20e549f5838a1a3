#include "core/formats/json_value.h"

#include <algorithm>
#include <cassert>

namespace headlight::core {

JsonValue::JsonValue(Kind k) : kind(k) {
    if (kind == Kind::String || kind == Kind::Array || kind == Kind::Object)
        content = std::make_unique<JsonContent>();
}

// Where JsonContent is complete.
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
    const auto found =
        std::find_if(content->members.begin(), content->members.end(),
                     [name](const JsonMember &member) { return member.name == name; });
    return found == content->members.end() ? nullptr : &found->value;
}

} // namespace headlight::core
