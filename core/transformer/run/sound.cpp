#include "core/transformer/run/sound.h"

#include "core/cancelled.h"

#include <algorithm>
#include <limits>

namespace headlight::core {

namespace {

constexpr std::size_t kCheckedAtOnce = std::size_t(1) << 20; // a millisecond's work

/// Without a branch, so that the compiler does many at once.
bool areSound(std::span<const float> values, bool mayHide) {
    constexpr float largest = std::numeric_limits<float>::max();
    const float smallest = mayHide ? -std::numeric_limits<float>::infinity() : -largest;
    bool sound = true;
    for (const float value : values)
        sound &= (value <= largest) & (value >= smallest);
    return sound;
}

} // namespace

bool areSound(std::span<const float> numbers, bool mayHide, const std::stop_token &stop) {
    for (; !numbers.empty(); numbers = numbers.subspan(std::min(kCheckedAtOnce, numbers.size()))) {
        throwIfCancelled(stop);
        if (!areSound(numbers.first(std::min(kCheckedAtOnce, numbers.size())), mayHide))
            return false;
    }
    return true;
}

} // namespace headlight::core
