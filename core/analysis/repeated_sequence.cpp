#include "core/analysis/repeated_sequence.h"

#include <map>
#include <string_view>
#include <utility>

namespace headlight::core {

std::optional<RepeatedSequence> repeatedSequenceIn(std::span<const Index> tokens) {
    const auto count = static_cast<Index>(tokens.size());
    std::optional<RepeatedSequence> longest;
    // A copy has at least half the length of the original, so both span at least 1.5 · distance.
    for (Index distance = 2; 3 * distance <= 2 * count; ++distance) {
        Index begin = distance;
        for (Index i = distance; i <= count; ++i) {
            if (i < count && tokens[static_cast<std::size_t>(i)] ==
                                 tokens[static_cast<std::size_t>(i - distance)])
                continue;
            const Index length = i - begin;
            if (length >= 2 && 2 * length >= distance &&
                (!longest || length > longest->end - longest->begin))
                longest = {begin, i, distance};
            begin = i + 1;
        }
    }
    return longest;
}

namespace {

/// Numbers the tokens so that equal tokens have equal numbers.
std::vector<Index> numbered(const Sequence &sequence) {
    std::map<std::pair<std::string_view, Index>, Index> numbers;
    std::vector<Index> tokens;
    for (Index i = 0; i < sequence.length; ++i)
        tokens.push_back(
            numbers
                .emplace(std::pair(std::string_view(sequence[i].text), sequence[i].id.value_or(-1)),
                         static_cast<Index>(numbers.size()))
                .first->second);
    return tokens;
}

} // namespace

std::optional<RepeatedSequence> repeatedSequenceIn(const Sequence &sequence) {
    return repeatedSequenceIn(numbered(sequence));
}

EarlierPlaces earlierPlaces(std::span<const Index> tokens) {
    std::map<Index, Index> last;
    EarlierPlaces earlier;
    for (const Index token : tokens) {
        const auto place = static_cast<Index>(earlier.size());
        const auto [found, isNew] = last.try_emplace(token, place);
        earlier.push_back(isNew ? -1 : found->second);
        found->second = place;
    }
    return earlier;
}

EarlierPlaces earlierPlaces(const Sequence &sequence) {
    return earlierPlaces(numbered(sequence));
}

EarlierPlaces earlierPlaces(const std::optional<RepeatedSequence> &copy) {
    EarlierPlaces earlier(copy ? static_cast<std::size_t>(copy->end) : 0, -1);
    for (Index i = copy ? copy->begin : 0; copy && i < copy->end; ++i)
        // The position is always in the first copy, even if the token also occurs earlier in the
        // second.
        earlier[static_cast<std::size_t>(i)] = i - copy->distance;
    return earlier;
}

} // namespace headlight::core
