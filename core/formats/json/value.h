// A JSON document as it was read: our own small tree, because the library's numbers follow the
// user's locale.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

struct JsonContent;

/// 24 bytes a value, so that a matrix written as numbers stays affordable.
struct JsonValue {
    enum class Kind : std::uint8_t { Null, Boolean, Number, String, Array, Object };

    Kind kind = Kind::Null;
    bool boolean = false;
    float single =
        0; ///< a number rounded once, to the nearest float; infinite where no float is that large
    double number = 0;                    ///< the same number, finite
    std::unique_ptr<JsonContent> content; ///< of strings, arrays and objects

    JsonValue() = default;
    explicit JsonValue(Kind k);
    JsonValue(JsonValue &&) noexcept;
    JsonValue &operator=(JsonValue &&) noexcept;
    ~JsonValue();

    // None of these outlives the value.
    const std::string &text() const &; ///< of a string
    const std::string &text() const && = delete;
    const std::vector<JsonValue> &elements() const &; ///< of an array
    const std::vector<JsonValue> &elements() const && = delete;
    const std::vector<struct JsonMember> &
    members() const &; ///< of an object, in the order of the file
    const std::vector<struct JsonMember> &members() const && = delete;
    /// The member with this name; null if this is no object or has none.
    const JsonValue *find(std::string_view name) const &;
    const JsonValue *find(std::string_view name) const && = delete;
    /// To be called once an object has all its members, so that find() takes no time with them all.
    void sortNames();
};

struct JsonMember {
    std::string name;
    JsonValue value;
};

/// One of the three is used.
struct JsonContent {
    std::string text;
    std::vector<JsonValue> elements;
    std::vector<JsonMember> members;
    std::vector<std::uint32_t> byName; ///< places of many members, in the order of their names
};

} // namespace headlight::core
