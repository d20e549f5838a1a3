// The metadata of a GGUF file: keys with numbers, texts and lists.
#pragma once

#include "core/formats/gguf/byte_reader.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// The type of a value, with its number in files.
enum class GgufKind : std::uint32_t {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    F32,
    Bool,
    String,
    List,
    U64,
    I64,
    F64,
};

/// Returns a name for messages: "a text", "a list".
const char *nameOf(GgufKind kind);

/// A value, which stays encoded until it is requested, so that a list takes no more memory than in
/// the file.
struct GgufValue {
    GgufKind kind = GgufKind::U8;    ///< List: its elements are of type `element`
    GgufKind element = GgufKind::U8; ///< type of the value or of the list's elements
    std::uint64_t count = 1;         ///< length of a list
    std::size_t begin = 0;           ///< offset in the header of the value or its first element
};

class GgufMetadata {
  public:
    /// Reads `count` keys with their values. Throws GgufReadError for a damaged or duplicate key, a
    /// list of lists, an unknown type.
    static GgufMetadata read(GgufByteReader &reader, std::uint64_t count);
    /// Sets the bytes of the header. Must be called before any value is requested.
    void setBytes(std::string bytes) {
        m_bytes = std::make_shared<const std::string>(std::move(bytes));
    }
    const std::string &bytes() const { return *m_bytes; }

    /// All keys, sorted.
    const std::map<std::string, GgufValue, std::less<>> &keys() const { return m_keys; }
    /// Returns null for a missing key.
    const GgufValue *find(std::string_view key) const;

    // Return nullopt if the key is missing or its value is of another kind.
    /// Returns an integer of any size as a double. Doubles are exact up to 2⁵³, which exceeds all
    /// limits.
    std::optional<double> whole(std::string_view key) const;
    std::optional<double> real(std::string_view key) const; ///< F32 or F64
    std::optional<bool> flag(std::string_view key) const;
    /// The text is valid for the lifetime of this object. It may be invalid UTF-8.
    std::optional<std::string_view> text(std::string_view key) const;
    std::optional<std::vector<std::string_view>> texts(std::string_view key) const;
    std::optional<std::vector<double>> wholes(std::string_view key) const;
    std::optional<std::vector<float>> reals(std::string_view key) const;

  private:
    std::map<std::string, GgufValue, std::less<>> m_keys;
    std::shared_ptr<const std::string> m_bytes;
};

} // namespace headlight::core
