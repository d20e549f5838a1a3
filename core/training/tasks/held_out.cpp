#include "core/training/tasks/held_out.h"

#include "core/random.h"

namespace headlight::core {

Split splitOf(std::span<const Index> content) {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const Index number : content) {
        hash ^= static_cast<std::uint64_t>(number);
        hash *= 0x100000001B3ULL;
    }
    return Random(hash).next() % 8 == 0 ? Split::HeldOut : Split::Train;
}

} // namespace headlight::core
