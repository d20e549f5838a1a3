#include "core/transformer/run/finite.h"

#include "core/cancelled.h"
#include "core/kernels/kernels.h"

#include <algorithm>
#include <limits>

namespace headlight::core {

namespace {

constexpr std::size_t kCheckedAtOnce = std::size_t(1) << 20; // checked in about a millisecond

} // namespace

bool allFinite(std::span<const float> numbers, bool mayHide, const std::stop_token &stop) {
    const float smallest =
        mayHide ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::lowest();
    const RowKernels &rows = fastestKernels().rows;
    for (; !numbers.empty(); numbers = numbers.subspan(std::min(kCheckedAtOnce, numbers.size()))) {
        throwIfCancelled(stop);
        if (!rows.areWithin(numbers.data(), std::min(kCheckedAtOnce, numbers.size()), smallest))
            return false;
    }
    return true;
}

} // namespace headlight::core
