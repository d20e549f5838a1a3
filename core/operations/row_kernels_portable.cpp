// For every 64-bit processor.
namespace headlight::core {
namespace {
constexpr int kLanes = 4;
}
} // namespace headlight::core
#include "core/operations/row_loops.h"

namespace headlight::core {

const RowKernels kPortableRows = kernelsNamed("portable");

} // namespace headlight::core
