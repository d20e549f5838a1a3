// For x86-64 processors since 2013. Compiled with -mavx2 -mfma.
namespace headlight::core {
namespace {
constexpr int kLanes = 8;
}
} // namespace headlight::core
#include "core/operations/row_loops.h"

namespace headlight::core {

const RowKernels kAvx2Rows = kernelsNamed("AVX2");

} // namespace headlight::core
