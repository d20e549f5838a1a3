// Valid and damaged GGUF files for tests, byte by byte.
#pragma once

#include "core/formats/gguf/metadata.h"

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core::test {

inline std::string u32(std::uint32_t number) {
    std::string bytes;
    for (int shift = 0; shift < 32; shift += 8)
        bytes += static_cast<char>(number >> shift);
    return bytes;
}

inline std::string u64(std::uint64_t number) {
    return u32(static_cast<std::uint32_t>(number)) + u32(static_cast<std::uint32_t>(number >> 32));
}

inline std::string f32(float number) {
    return u32(std::bit_cast<std::uint32_t>(number));
}

inline std::string text(std::string_view words) {
    return u64(words.size()) + std::string(words);
}

/// Returns the bytes of a key whose value has this kind and these bytes.
inline std::string keyOf(std::string_view name, GgufKind kind, const std::string &value) {
    return text(name) + u32(static_cast<std::uint32_t>(kind)) + value;
}
inline std::string keyOf(std::string_view name, std::uint32_t number) {
    return keyOf(name, GgufKind::U32, u32(number));
}
inline std::string keyOf(std::string_view name, std::string_view words) {
    return keyOf(name, GgufKind::String, text(words));
}
inline std::string keyOf(std::string_view name, const char *words) {
    return keyOf(name, std::string_view(words));
}
inline std::string keyOf(std::string_view name, bool flag) {
    return keyOf(name, GgufKind::Bool, std::string(1, flag ? '\1' : '\0'));
}
inline std::string keyOf(std::string_view name, float number) {
    return keyOf(name, GgufKind::F32, f32(number));
}
/// Returns a key with a list. `values` are the bytes of its elements.
inline std::string listOf(std::string_view name, GgufKind element,
                          const std::vector<std::string> &values) {
    std::string bytes = u32(static_cast<std::uint32_t>(element)) + u64(values.size());
    for (const std::string &value : values)
        bytes += value;
    return keyOf(name, GgufKind::List, bytes);
}
inline std::string listOf(std::string_view name, const std::vector<std::string> &words) {
    std::vector<std::string> values;
    for (const std::string &word : words)
        values.push_back(text(word));
    return listOf(name, GgufKind::String, values);
}

/// Dimensions are in the order of the file, which begins with the length of a row.
inline std::string tensorInfo(std::string_view name, const std::vector<std::uint64_t> &sizes,
                              std::uint32_t type, std::uint64_t offset) {
    std::string bytes = text(name) + u32(static_cast<std::uint32_t>(sizes.size()));
    for (const std::uint64_t size : sizes)
        bytes += u64(size);
    return bytes + u32(type) + u64(offset);
}

/// A file with these keys and tensors. The data starts at the next multiple of the alignment.
struct GgufBytes {
    std::vector<std::string> keys{}, tensors{};
    std::string data{};
    std::uint32_t version = 3;
    std::optional<std::uint64_t> keyCount{}, tensorCount{}; ///< written instead of the true count
    std::size_t alignment = 32;

    std::string bytes() const {
        std::string all = "GGUF" + u32(version) + u64(tensorCount.value_or(tensors.size())) +
                          u64(keyCount.value_or(keys.size()));
        for (const auto &parts : {keys, tensors})
            for (const std::string &part : parts)
                all += part;
        all.resize((all.size() + alignment - 1) / alignment * alignment);
        return all + data;
    }
};

} // namespace headlight::core::test
