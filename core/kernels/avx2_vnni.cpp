// Products in fixed point for processors with AVX2 that multiply and add bytes in one instruction
// (common since 2021). Compiled with -mavx2 -mavxvnni -mfma -mf16c.
#include "core/kernels/avx2_lines.h"
#include "core/kernels/fixed_point_loops.h"
#include "core/kernels/instruction_sets.h"

namespace headlight::core {

namespace {

/// Registers for fixed_point_loops.h, and 64-bit numbers in four pieces.
struct Avx2VnniLines : Avx2Lines {
    using Piece = __m256d;
    static constexpr int kGroups = 1, kRowsTogether = 1, kPieces = 4;

    static Words allIntegers(std::int32_t integer) {
        return {_mm256_set1_epi32(integer), _mm256_set1_epi32(integer)};
    }
    static Words added(Words x, Words y) {
        return {_mm256_add_epi32(x.low, y.low), _mm256_add_epi32(x.high, y.high)};
    }
    static Words product(Words x, Words y) {
        return {_mm256_mullo_epi32(x.low, y.low), _mm256_mullo_epi32(x.high, y.high)};
    }
    /// Adds to each word of `sum` the products of the four unsigned bytes of `bytes` with the
    /// digits.
    static Words addedProducts(Words sum, Words bytes, Words digits) {
        return {_mm256_dpbusd_avx_epi32(sum.low, bytes.low, digits.low),
                _mm256_dpbusd_avx_epi32(sum.high, bytes.high, digits.high)};
    }
    static __m128i quarter(__m256i words, int i) {
        return i % 2 ? _mm256_extracti128_si256(words, 1) : _mm256_castsi256_si128(words);
    }
    static Piece ofIntegers(Words words, int i) {
        return _mm256_cvtepi32_pd(quarter(i / 2 ? words.high : words.low, i));
    }
    static Piece ofNumbers(Numbers numbers, int i) {
        const __m256i of = _mm256_castps_si256(i / 2 ? numbers.high : numbers.low);
        return _mm256_cvtps_pd(_mm_castsi128_ps(quarter(of, i)));
    }
    static __m128 toFloats(Piece piece) { return _mm256_cvtpd_ps(piece); }
};

} // namespace

constinit const FixedPointKernel kAvx2VnniFixedPoint = fixedPointKernel<Avx2VnniLines>();

} // namespace headlight::core
