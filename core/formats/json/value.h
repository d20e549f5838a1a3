// A parsed JSON document. The library's type is not used, because its numbers depend on the locale.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

struct JsonContent;

/// Kept small (24 bytes), because documents may contain large matrices.
struct JsonValue {
    enum class Kind : std::uint8_t { Null, Boolean, Number, String, Array, Object };

    Kind kind = Kind::Null;
    bool boolean = false;
    float single = 0;  ///< number as the nearest float, rounded once; infinite if out of range
    double number = 0; ///< number as a double; always finite
    std::unique_ptr<JsonContent> content; ///< content of strings, arrays and objects

    JsonValue() = default;
    explicit JsonValue(Kind k);
    JsonValue(JsonValue &&) noexcept;
    JsonValue &operator=(JsonValue &&) noexcept;
    ~JsonValue();

    // The references are valid for the lifetime of this value.
    const std::string &text() const &; ///< requires a string
    const std::string &text() const && = delete;
    const std::vector<JsonValue> &elements() const &; ///< requires an array
    const std::vector<JsonValue> &elements() const && = delete;
    const std::vector<struct JsonMember> &members() const &; ///< requires an object; in file order
    const std::vector<struct JsonMember> &members() const && = delete;
    /// Returns the member with this name; null if there is none or this is not an object.
    const JsonValue *find(std::string_view name) const &;
    const JsonValue *find(std::string_view name) const && = delete;
    /// Makes find() fast. Call it once, after all members have been added.
    void sortNames();
};

struct JsonMember {
    std::string name;
    JsonValue value;
};

/// Only one of text, elements and members is used, depending on the kind.
struct JsonContent {
    std::string text;
    std::vector<JsonValue> elements;
    std::vector<JsonMember> members;
    std::vector<std::uint32_t> byName; ///< member indices sorted by name, for large objects
};

} // namespace headlight::core
