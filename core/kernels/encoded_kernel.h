// Innermost loops of products with encoded weights. Numbers are decoded in registers while they are
// multiplied. Sums are bit-identical to those of a product with the decoded matrix
// (product_kernel.h). Some processors multiply some encodings in fixed point instead
// (fixed_point.h).
#pragma once

#include <cstdint>

namespace headlight::core {

/// Encodings that have kernels: little-endian numbers, the blocks of ggml (ggml-common.h of
/// github.com/ggml-org/ggml), and MXFP4, whose scales are stored separately.
enum class Encoding {
    F32,
    F16,
    BF16,
    Q8_0,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    IQ4_NL,
    Q2_K,
    Q3_K,
    Q4_K,
    Q5_K,
    Q6_K,
    Mxfp4,
    Other
};
constexpr int kEncodings = static_cast<int>(Encoding::Other);

/// Number of lines that a kernel decodes side by side.
constexpr std::int64_t kEncodedLines = 16;
/// Number of groups of kEncodedLines lines whose sums are computed at the same time, because each
/// sum waits several cycles for its previous addition.
constexpr int kEncodedGroups = 2;
/// Number of sums that EncodedDots computes for a row.
constexpr std::int64_t kEncodedDots = kEncodedLines * kEncodedGroups;

/// kEncodedLines lines of numbers. Each line is contiguous and starts at a block boundary.
struct EncodedLines {
    const std::uint8_t *lines[kEncodedLines];
    const std::uint8_t *scales[kEncodedLines]; ///< Mxfp4 only: one byte for each block
    /// Memory that is needed later and is as long as these lines. EncodedDots prefetches it.
    const std::uint8_t *ahead;
};

/// sums[c] = 0 + a[0] · w[c, 0] + a[1] · w[c, 1] + … for each line c of kEncodedGroups groups. Each
/// further row of a writes kEncodedDots more sums.
using EncodedDots = void (*)(const EncodedLines *w, std::int64_t depth, const float *a,
                             std::int64_t aStride, float *sums);
/// Decodes with a transposition: panel[k · width + c] = w[c, k].
using EncodedPanel = void (*)(const EncodedLines &w, std::int64_t depth, float *panel,
                              std::int64_t width);
/// Decodes one line: out[i] = number i.
using EncodedRun = void (*)(const std::uint8_t *from, std::int64_t count, float *out);

/// Number of lines whose products EncodedSums adds in one pass over the sums.
constexpr std::int64_t kEncodedSumLines = 8;

/// kEncodedSumLines equally spaced lines.
struct EncodedRows {
    const std::uint8_t *lines[kEncodedSumLines];
    std::int64_t ahead; ///< distance in bytes to the numbers that are needed next, for prefetching
};

/// sums[c] += a[0] · w[0, c], then += a[1] · w[1, c], …, for each of `count` columns c. Each
/// further row of a has its sums `sumsStride` later.
using EncodedSums = void (*)(const EncodedRows &w, std::int64_t count, const float *a,
                             std::int64_t aStride, float *sums, std::int64_t sumsStride);

/// Products with at most this many rows of `a` decode numbers while multiplying. Other products
/// decode them to a panel first.
constexpr std::int64_t kEncodedDotRows = 2;

struct EncodedKernel {
    EncodedDots dots[kEncodedDotRows]; ///< dots[r - 1] multiplies r rows
    EncodedPanel panel;
    // Null for encodings in blocks:
    EncodedRun run;
    EncodedSums sums[kEncodedDotRows];     ///< sums[r - 1] multiplies r rows with all lines
    EncodedSums lastSums[kEncodedDotRows]; ///< multiplies r rows with only the first line
};

} // namespace headlight::core
