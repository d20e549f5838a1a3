// For x86-64 processors with AVX-512. Compiled with -mavx512f -mavx512dq -mfma.
namespace headlight::core {
namespace {
constexpr int kLanes = 16;
}
} // namespace headlight::core
#include "core/training/pass/kernel_loops.h"

namespace headlight::core {

const TrainingKernels kAvx512Training = trainingKernelsNamed("AVX-512");

} // namespace headlight::core
