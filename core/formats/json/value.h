// A parsed JSON document. Our own small tree, because the library's numbers depend on the locale.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

struct JsonContent;

/// 24 bytes per value, so that a matrix of numbers stays affordable.
struct JsonValue {
    enum class Kind : std::uint8_t { Null, Boolean, Number, String, Array, Object };

    Kind kind = Kind::Null;
    bool boolean = false;
    float single = 0;  ///< the number rounded once, to the nearest float; infinite out of range
    double number = 0; ///< the same number, finite
    std::unique_ptr<JsonContent> content; ///< content of strings, arrays and objects

    JsonValue() = default;
    explicit JsonValue(Kind k);
    JsonValue(JsonValue &&) noexcept;
    JsonValue &operator=(JsonValue &&) noexcept;
    ~JsonValue();

    // The references are valid as long as the value.
    const std::string &text() const &; ///< strings only
    const std::string &text() const && = delete;
    const std::vector<JsonValue> &elements() const &; ///< arrays only
    const std::vector<JsonValue> &elements() const && = delete;
    const std::vector<struct JsonMember> &members() const &; ///< objects only, in file order
    const std::vector<struct JsonMember> &members() const && = delete;
    /// Returns the member with this name; null if missing or not an object.
    const JsonValue *find(std::string_view name) const &;
    const JsonValue *find(std::string_view name) const && = delete;
    /// Call once all members are added; makes find() fast.
    void sortNames();
};

struct JsonMember {
    std::string name;
    JsonValue value;
};

/// Uses one of the three, depending on the kind.
struct JsonContent {
    std::string text;
    std::vector<JsonValue> elements;
    std::vector<JsonMember> members;
    std::vector<std::uint32_t> byName; ///< member indices sorted by name, for large objects
};

} // namespace headlight::core
