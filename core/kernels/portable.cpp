// Kernels with vectors of four numbers, for every 64-bit x86-64 and ARM processor.
#include "core/kernels/instruction_sets.h"
#include "core/kernels/product_tile.h"

namespace headlight::core {
namespace {
constexpr int kLanes = 4;
}
} // namespace headlight::core
#include "core/kernels/row_loops.h"
#include "core/kernels/training_loops.h"

namespace headlight::core {

namespace {

struct Portable {
    typedef float Vector __attribute__((vector_size(16)));
    typedef float Unaligned __attribute__((vector_size(16), aligned(4), may_alias));
    static constexpr int kLanes = 4;
    static Vector load(const float *from) { return *reinterpret_cast<const Unaligned *>(from); }
    static void store(float *to, Vector vector) { *reinterpret_cast<Unaligned *>(to) = vector; }
    static Vector all(float number) { return Vector{number, number, number, number}; }
    static Vector add(Vector x, Vector y) { return x + y; }
    static Vector multiplyAdd(Vector x, Vector y, Vector sum) {
        const Vector product = x * y; // rounded separately, because of -ffp-contract=off
        return product + sum;
    }
};

constexpr TileProduct kTiles[] = {tileProduct<Portable, 1>, tileProduct<Portable, 2>,
                                  tileProduct<Portable, 3>, tileProduct<Portable, 4>,
                                  tileProduct<Portable, 5>, tileProduct<Portable, 6>};

} // namespace

constinit const Kernels kPortableKernels = {
    "portable",
    {6, 2 * Portable::kLanes, kTiles, nullptr, nullptr, nullptr},
    kRowKernels,
    kTrainingKernels};

} // namespace headlight::core
