// The tensor types of GGUF: how many numbers a block has, how many bytes, and their values
// (ggml-common.h and ggml-quants.c of github.com/ggml-org/ggml).
#pragma once

#include "core/tensor/encoded_matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace headlight::core {

/// The most numbers in a block of any type.
inline constexpr std::size_t kMaxBlockValues = 256;

struct GgufType {
    std::uint32_t number = 0; ///< in files
    std::string_view name;    ///< "Q4_K"
    std::size_t values = 1;   ///< numbers in a block
    std::size_t bytes = 0;    ///< bytes of a block
    /// Decodes one block: `bytes` bytes to `values` floats.
    void (*decode)(const std::uint8_t *block, float *out) = nullptr;
    /// Offsets of the block's half-precision scales. If these are finite, its values are.
    std::span<const std::uint8_t> scales{};
    NumberEncoding encoding{}; ///< the same for products
};

/// Returns null for a type that Headlight does not read.
const GgufType *findGgufType(std::uint32_t number);
/// Returns the name of any type: "IQ2_XS", or "number 99" for an unknown one.
std::string nameOfGgufType(std::uint32_t number);
/// Returns the names of the types that Headlight reads: "F32, F16, …".
std::string readGgufTypes();

} // namespace headlight::core
