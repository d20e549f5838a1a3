// Products in fixed point for processors with AVX-512 that multiply and add bytes in one
// instruction (common since 2019). Compiled with -mavx512f -mavx512dq -mavx512vnni -mfma -mf16c.
#include "core/kernels/avx512_lines.h"
#include "core/kernels/fixed_point_loops.h"
#include "core/kernels/instruction_sets.h"

namespace headlight::core {

namespace {

/// Registers for fixed_point_loops.h, and 64-bit numbers in two pieces.
struct Avx512VnniLines : Avx512Lines {
    using Piece = __m512d;
    static constexpr int kGroups = 2, kRowsTogether = 2, kPieces = 2;

    static Words allIntegers(std::int32_t integer) { return _mm512_set1_epi32(integer); }
    static Words added(Words x, Words y) { return _mm512_add_epi32(x, y); }
    static Words product(Words x, Words y) { return _mm512_mullo_epi32(x, y); }
    /// Adds to each word of `sum` the products of the four unsigned bytes of `bytes` with the
    /// digits.
    static Words addedProducts(Words sum, Words bytes, Words digits) {
        return _mm512_dpbusd_epi32(sum, bytes, digits);
    }
    static Piece ofIntegers(Words words, int i) {
        return _mm512_cvtepi32_pd(i ? _mm512_extracti64x4_epi64(words, 1)
                                    : _mm512_castsi512_si256(words));
    }
    static Piece ofNumbers(Numbers numbers, int i) {
        return _mm512_cvtps_pd(i ? _mm512_extractf32x8_ps(numbers, 1)
                                 : _mm512_castps512_ps256(numbers));
    }
    static __m256 toFloats(Piece piece) { return _mm512_cvtpd_ps(piece); }
};

} // namespace

constinit const FixedPointKernel kAvx512VnniFixedPoint = fixedPointKernel<Avx512VnniLines>();

} // namespace headlight::core
