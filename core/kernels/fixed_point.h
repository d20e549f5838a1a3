// Products of encoded weights in blocks with numbers in fixed point.
//
// A slice is 256 numbers of a row. They are written as unit · a, with 24-bit integers a and a power
// of two as the unit. The sums of a block of weights, which are integers times a scale, are then
// exact sums of integers. An integer a has three digits of eight bits, because processors multiply
// and add bytes fastest. A slice's sum is computed in double precision, where only the sum of its
// blocks is rounded, and is then rounded to a float. Slices are added in order.
//
// Therefore, all processors with these kernels give the same bits. Without an instruction that
// multiplies and adds bytes (VNNI), floats are as fast, and there are no such kernels.
//
// Error: |x − unit · a| is at most half a unit, which is 2⁻²³ of the largest number of the slice,
// because the digits −128 … 127 reach up to 8,355,711, almost 2²³. A product of floats whose sum is
// rounded after each addition has errors of the same size as soon as the largest number has been
// added. The error of a dot product of 256 numbers is therefore at most 2⁻²³ · max |x| · Σ |w|,
// plus 2⁻²⁴ of the result. Weights are not rounded at all. Slices that are not finite have no
// integers.
//
// Q6_K has a scale for each 16 numbers, twice as many as Q4_K. A kernel for it was slower than
// floats for 16 tokens, so there is none.
#pragma once

#include "core/kernels/accumulate.h"
#include "core/kernels/encoded_kernel.h"

#include <cstdint>

namespace headlight::core {

/// Number of values in a slice, and in each of its blocks. The last slice of a row may be shorter.
constexpr std::int64_t kFixedSlice = 256;
constexpr std::int64_t kFixedBlock = 32;
constexpr std::int64_t kFixedBlocks = kFixedSlice / kFixedBlock;
constexpr int kFixedDigits = 3;

/// A slice in fixed point. An integer is digits[0] · 2¹⁶ + digits[1] · 2⁸ + digits[2].
struct FixedSlice {
    alignas(64) std::int8_t digits[kFixedBlocks][kFixedDigits][kFixedBlock];
    /// The sum of the integers of each block, in four digits, the highest one first.
    std::int8_t sums[4][kFixedBlocks];
    /// −128 times the sums of each block's digits: corrects products with weights + 128.
    std::int32_t less128[kFixedBlocks][kFixedDigits];
    double unit;
};

/// Writes `count` numbers, at most kFixedSlice, as a slice. Returns false if any of them is not
/// finite.
using FixedFrom = bool (*)(const float *from, std::int64_t count, FixedSlice &to);

/// out[c] = the sum of products of the slice `a` with line c of kEncodedGroups groups, or adds it
/// to out. `depth` is a multiple of the block size, at most kFixedSlice. Further rows, kFixedRows
/// at most, have their slices `aStride` slices and their sums `outStride` numbers later.
using FixedDots = void (*)(const EncodedLines *w, std::int64_t depth, const FixedSlice *a,
                           std::int64_t aStride, std::int64_t rows, float *out,
                           std::int64_t outStride, Accumulate accumulate);
constexpr std::int64_t kFixedRows = 16;

struct FixedPointKernel {
    FixedFrom from;
    FixedDots dots[kEncodings]; ///< null for encodings that are multiplied as floats
};

} // namespace headlight::core
