// The tensor types of GGUF: the numbers and bytes of a block, and how to decode it (ggml-common.h
// and ggml-quants.c of github.com/ggml-org/ggml).
#pragma once

#include "core/tensor/encoded_matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace headlight::core {

/// Maximum of GgufType::values.
inline constexpr std::size_t kMaxBlockValues = 256;

struct GgufType {
    std::uint32_t number = 0; ///< number of the type in files
    std::string_view name;    ///< such as "Q4_K"
    std::size_t values = 1;   ///< numbers in a block
    std::size_t bytes = 0;    ///< bytes of a block
    /// Decodes one block: `bytes` bytes to `values` floats.
    void (*decode)(const std::uint8_t *block, float *out) = nullptr;
    /// Offsets of the block's half-precision scales. If all scales are finite, so are the decoded
    /// values.
    std::span<const std::uint8_t> scales{};
    NumberEncoding encoding{}; ///< for matrix products that read encoded blocks
};

/// Returns null for a type that Headlight cannot read.
const GgufType *findGgufType(std::uint32_t number);
/// Returns the name of any type, such as "IQ2_XS", or "number 99" for an unknown one.
std::string nameOfGgufType(std::uint32_t number);
/// Returns the names of the types that Headlight can read: "F32, F16, …".
std::string readGgufTypes();

} // namespace headlight::core
