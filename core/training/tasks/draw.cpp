#include "core/training/tasks/draw.h"

#include "core/random.h"

#include <array>
#include <cassert>

namespace headlight::core {

void drawDistinct(Random &random, Index first, Index choices, std::span<Index> out) {
    constexpr std::size_t kMax = 64;
    assert(choices <= static_cast<Index>(kMax) && std::ssize(out) <= choices);
    std::array<Index, kMax> left{};
    for (Index i = 0; i < choices; ++i)
        left[static_cast<std::size_t>(i)] = first + i;
    Index count = choices;
    for (Index &number : out) { // Fisher and Yates (1938), as described by Durstenfeld (1964)
        const auto place = static_cast<std::size_t>(below(random, count));
        number = left[place];
        left[place] = left[static_cast<std::size_t>(--count)];
    }
}

std::vector<std::string> letters(Index count) {
    assert(count <= 26);
    std::vector<std::string> words;
    for (Index i = 0; i < count; ++i)
        words.emplace_back(1, static_cast<char>('a' + i));
    return words;
}

Split splitOf(std::span<const Index> content) {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const Index number : content) {
        hash ^= static_cast<std::uint64_t>(number);
        hash *= 0x100000001B3ULL;
    }
    return Random(hash).next() % 8 == 0 ? Split::HeldOut : Split::Train;
}

} // namespace headlight::core
