// Random weights in every encoding that Headlight reads.
#pragma once

#include "core/formats/gguf/block_storage.h"
#include "core/random.h"

#include <doctest/doctest.h>
#include <vector>

namespace headlight::core::test {

inline std::vector<const GgufType *> allGgufTypes() {
    std::vector<const GgufType *> types;
    for (std::uint32_t number = 0; number < 64; ++number)
        if (const GgufType *type = findGgufType(number))
            types.push_back(type);
    REQUIRE(types.size() == 15);
    return types;
}

/// Returns blocks of random bits with finite numbers of any size.
inline std::vector<std::byte> randomBlocks(Random &random, const GgufType &type, Index count) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(count) * type.bytes);
    for (std::byte &byte : bytes)
        byte = static_cast<std::byte>(random.next());
    const auto clear = [&bytes](std::size_t at, unsigned bits) { bytes[at] &= std::byte(~bits); };
    for (std::size_t at = 0; at < bytes.size(); at += type.bytes) {
        for (const std::uint8_t scale : type.scales)
            clear(at + scale + 1, 0x40); // keeps the exponents small enough
        if (type.values == 1)
            clear(at + type.bytes - 1, 0x40);
    }
    return bytes;
}

} // namespace headlight::core::test
