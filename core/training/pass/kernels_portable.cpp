// For every processor.
namespace headlight::core {
namespace {
constexpr int kLanes = 4;
}
} // namespace headlight::core
#include "core/training/pass/kernel_loops.h"

namespace headlight::core {

const TrainingKernels kPortableTraining = trainingKernelsNamed("portable");

} // namespace headlight::core
