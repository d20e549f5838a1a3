// For x86-64 processors with AVX2 (common since 2013). Compiled with -mavx2 -mfma -mf16c.
#include "core/kernels/avx2_lines.h"
#include "core/kernels/encoded_loops.h"
#include "core/kernels/instruction_sets.h"
#include "core/kernels/product_dots.h"
#include "core/kernels/product_tile.h"

namespace headlight::core {
namespace {
constexpr int kLanes = 8;
}
} // namespace headlight::core
#include "core/kernels/row_loops.h"
#include "core/kernels/training_loops.h"

namespace headlight::core {

namespace {

struct Avx2 {
    using Vector = __m256;
    static constexpr int kLanes = 8;
    static Vector load(const float *from) { return _mm256_loadu_ps(from); }
    static void store(float *to, Vector vector) { _mm256_storeu_ps(to, vector); }
    static Vector all(float number) { return _mm256_set1_ps(number); }
    static Vector add(Vector x, Vector y) { return _mm256_add_ps(x, y); }
    static Vector multiplyAdd(Vector x, Vector y, Vector sum) { return _mm256_fmadd_ps(x, y, sum); }
};

constexpr EncodedKernels<Avx2Lines> kEncoded;

constexpr TileProduct kTiles[] = {tileProduct<Avx2, 1>, tileProduct<Avx2, 2>, tileProduct<Avx2, 3>,
                                  tileProduct<Avx2, 4>, tileProduct<Avx2, 5>, tileProduct<Avx2, 6>};

} // namespace

constinit const Kernels kAvx2Kernels = {
    "AVX2",
    {6, 2 * Avx2::kLanes, kTiles, dotProducts, kEncoded.all, nullptr},
    kRowKernels,
    kTrainingKernels};

constinit const Kernels kAvx2VnniKernels = {
    "AVX2 VNNI",
    {6, 2 * Avx2::kLanes, kTiles, dotProducts, kEncoded.all, &kAvx2VnniFixedPoint},
    kRowKernels,
    kTrainingKernels};

} // namespace headlight::core
