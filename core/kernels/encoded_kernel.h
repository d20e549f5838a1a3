// Innermost loops of products with encoded weights: numbers are decoded in registers while they are
// multiplied. Sums have the bits of a product with the decoded matrix (product_kernel.h).
#pragma once

#include <cstdint>

namespace headlight::core {

/// How numbers are encoded, as far as there are kernels for it: little-endian numbers, the blocks
/// of ggml (ggml-common.h of github.com/ggml-org/ggml), and MXFP4, whose scales stand elsewhere.
enum class Encoding { F32, F16, BF16, Q8_0, Q4_0, Q4_K, Mxfp4, Other };
constexpr int kEncodings = static_cast<int>(Encoding::Other);

/// Lines of numbers that a kernel decodes side by side.
constexpr std::int64_t kEncodedLines = 16;

/// The numbers of kEncodedLines lines, each encoded contiguously from a start of a block.
struct EncodedLines {
    const std::uint8_t *lines[kEncodedLines];
    const std::uint8_t *scales[kEncodedLines]; ///< Mxfp4: a byte for each block
    /// Bytes from each line to the one that is needed next, which is prefetched meanwhile.
    std::int64_t ahead;
};

/// sums[c] = 0 + a[0] · w[c, 0] + a[1] · w[c, 1] + … for each line c, and kEncodedLines sums more
/// for each further row of a.
using EncodedDots = void (*)(const EncodedLines &w, std::int64_t depth, const float *a,
                             std::int64_t aStride, float *sums);
/// panel[k · width + c] = w[c, k].
using EncodedPanel = void (*)(const EncodedLines &w, std::int64_t depth, float *panel,
                              std::int64_t width);
/// out[i] = number i of one line.
using EncodedRun = void (*)(const std::uint8_t *from, std::int64_t count, float *out);

/// Maximum number of rows of a for which numbers are decoded into the sums directly.
constexpr std::int64_t kEncodedDotRows = 2;

struct EncodedKernel {
    EncodedDots dots[kEncodedDotRows]; ///< dots[r - 1] is for r rows
    EncodedPanel panel;
    EncodedRun run; ///< null for blocks
};

} // namespace headlight::core
