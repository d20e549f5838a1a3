// For x86-64 processors with AVX-512. Compiled with -mavx512f -mavx512dq -mfma -mf16c.
#include "core/kernels/avx512_lines.h"
#include "core/kernels/encoded_loops.h"
#include "core/kernels/instruction_sets.h"
#include "core/kernels/product_dots.h"
#include "core/kernels/product_tile.h"

namespace headlight::core {
namespace {
constexpr int kLanes = 16;
}
} // namespace headlight::core
#include "core/kernels/row_loops.h"
#include "core/kernels/training_loops.h"

namespace headlight::core {

namespace {

struct Avx512 {
    using Vector = __m512;
    static constexpr int kLanes = 16;
    static Vector load(const float *from) { return _mm512_loadu_ps(from); }
    static void store(float *to, Vector vector) { _mm512_storeu_ps(to, vector); }
    static Vector all(float number) { return _mm512_set1_ps(number); }
    static Vector add(Vector x, Vector y) { return _mm512_add_ps(x, y); }
    static Vector multiplyAdd(Vector x, Vector y, Vector sum) { return _mm512_fmadd_ps(x, y, sum); }
};

constexpr EncodedKernels<Avx512Lines> kEncoded;

constexpr TileProduct kTiles[] = {
    tileProduct<Avx512, 1>,  tileProduct<Avx512, 2>,  tileProduct<Avx512, 3>,
    tileProduct<Avx512, 4>,  tileProduct<Avx512, 5>,  tileProduct<Avx512, 6>,
    tileProduct<Avx512, 7>,  tileProduct<Avx512, 8>,  tileProduct<Avx512, 9>,
    tileProduct<Avx512, 10>, tileProduct<Avx512, 11>, tileProduct<Avx512, 12>};

} // namespace

constinit const Kernels kAvx512Kernels = {
    "AVX-512",
    {12, 2 * Avx512::kLanes, kTiles, dotProducts, kEncoded.all, nullptr},
    kRowKernels,
    kTrainingKernels};

constinit const Kernels kAvx512VnniKernels = {
    "AVX-512 VNNI",
    {12, 2 * Avx512::kLanes, kTiles, dotProducts, kEncoded.all, &kAvx512VnniFixedPoint},
    kRowKernels,
    kTrainingKernels};

} // namespace headlight::core
