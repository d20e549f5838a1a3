// For x86-64 processors with AVX2. Compiled with -mavx2 -mfma.
namespace headlight::core {
namespace {
constexpr int kLanes = 8;
}
} // namespace headlight::core
#include "core/training/pass/kernel_loops.h"

namespace headlight::core {

const TrainingKernels kAvx2Training = trainingKernelsNamed("AVX2");

} // namespace headlight::core
