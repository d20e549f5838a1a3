#include "core/analysis/token_alignment.h"

#include <algorithm>
#include <unordered_map>

namespace headlight::core {

namespace {

using TokenNumbers = std::span<const Index>;

/// Returns the length of the longest common subsequence of `now` and the first n tokens of `a`, for
/// each n. If `isReversed`, of `now` and the last n tokens.
std::vector<Index> lengthsOf(TokenNumbers now, TokenNumbers a, bool isReversed,
                             const std::stop_token &stop) {
    std::vector<Index> lengths(a.size() + 1);
    for (std::size_t i = 0; i < now.size() && !stop.stop_requested(); ++i) {
        const Index token = isReversed ? now[now.size() - 1 - i] : now[i];
        Index diagonal = 0; // lengths[j] of the previous row
        for (std::size_t j = 0; j < a.size(); ++j) {
            const Index other = isReversed ? a[a.size() - 1 - j] : a[j];
            const Index above = lengths[j + 1];
            lengths[j + 1] = token == other ? diagonal + 1 : std::max(above, lengths[j]);
            diagonal = above;
        }
    }
    return lengths;
}

/// Appends the pairs of two parts of the texts, which start at tokens `nowAt` and `aAt`.
void align(TokenNumbers now, TokenNumbers a, Index nowAt, Index aAt, AlignedPairs &pairs,
           const std::stop_token &stop) {
    if (stop.stop_requested())
        return;
    while (!now.empty() && !a.empty() && now.front() == a.front()) {
        pairs.push_back({nowAt++, aAt++});
        now = now.subspan(1);
        a = a.subspan(1);
    }
    std::size_t end = 0; // length of the common suffix
    while (end < std::min(now.size(), a.size()) &&
           now[now.size() - 1 - end] == a[a.size() - 1 - end])
        ++end;
    const TokenNumbers restNow = now.first(now.size() - end), restA = a.first(a.size() - end);
    if (restNow.size() == 1) {
        if (const auto found = std::ranges::find(restA, restNow.front()); found != restA.end())
            pairs.push_back({nowAt, aAt + (found - restA.begin())});
    } else if (!restNow.empty() && !restA.empty()) {
        const std::size_t half = restNow.size() / 2;
        const std::vector<Index> first = lengthsOf(restNow.first(half), restA, false, stop);
        const std::vector<Index> second = lengthsOf(restNow.subspan(half), restA, true, stop);
        std::size_t split = 0;
        for (std::size_t j = 0; j <= restA.size(); ++j)
            if (first[j] + second[restA.size() - j] > first[split] + second[restA.size() - split])
                split = j;
        align(restNow.first(half), restA.first(split), nowAt, aAt, pairs, stop);
        align(restNow.subspan(half), restA.subspan(split), nowAt + static_cast<Index>(half),
              aAt + static_cast<Index>(split), pairs, stop);
    }
    for (std::size_t i = 0; i < end; ++i)
        pairs.push_back({nowAt + static_cast<Index>(restNow.size() + i),
                         aAt + static_cast<Index>(restA.size() + i)});
}

} // namespace

AlignedPairs alignedTokens(std::span<const std::string> now, std::span<const std::string> a,
                           const std::stop_token &stop) {
    std::unordered_map<std::string_view, Index> numbers;
    const auto numbered = [&numbers](std::span<const std::string> texts) {
        std::vector<Index> tokens;
        tokens.reserve(texts.size());
        for (const std::string &text : texts)
            tokens.push_back(
                numbers.emplace(text, static_cast<Index>(numbers.size())).first->second);
        return tokens;
    };
    const std::vector<Index> nowTokens = numbered(now), aTokens = numbered(a);
    const std::size_t shorter = std::min(now.size(), a.size());
    std::size_t begin = 0, end = 0;
    while (begin < shorter && nowTokens[begin] == aTokens[begin])
        ++begin;
    while (end < shorter - begin && nowTokens[now.size() - 1 - end] == aTokens[a.size() - 1 - end])
        ++end;
    AlignedPairs pairs;
    for (std::size_t i = 0; i < begin; ++i)
        pairs.push_back({static_cast<Index>(i), static_cast<Index>(i)});
    const TokenNumbers restNow = TokenNumbers(nowTokens).subspan(begin, now.size() - begin - end);
    const TokenNumbers restA = TokenNumbers(aTokens).subspan(begin, a.size() - begin - end);
    if (std::ssize(restNow) == 0 || std::ssize(restA) <= kMaxAlignedCells / std::ssize(restNow))
        align(restNow, restA, static_cast<Index>(begin), static_cast<Index>(begin), pairs, stop);
    for (std::size_t i = end; i > 0; --i)
        pairs.push_back({static_cast<Index>(now.size() - i), static_cast<Index>(a.size() - i)});
    return pairs;
}

bool isOrdered(const AlignedPairs &pairs, Index nowLength, Index aLength) {
    AlignedPair last{-1, -1};
    for (const AlignedPair &pair : pairs) {
        if (pair.now <= last.now || pair.a <= last.a || pair.now >= nowLength || pair.a >= aLength)
            return false;
        last = pair;
    }
    return true;
}

AlignedPairs withPair(AlignedPairs pairs, AlignedPair added) {
    std::erase_if(pairs, [added](const AlignedPair &pair) {
        return (pair.now <= added.now) != (pair.a <= added.a) || pair.now == added.now ||
               pair.a == added.a;
    });
    pairs.insert(std::ranges::lower_bound(pairs, added.now, {}, &AlignedPair::now), added);
    return pairs;
}

AlignedPairs withoutPairOf(AlignedPairs pairs, Index now) {
    std::erase_if(pairs, [now](const AlignedPair &pair) { return pair.now == now; });
    return pairs;
}

UnpairedTokens unpairedTokens(const AlignedPairs &pairs, Index nowLength, Index aLength) {
    UnpairedTokens unpaired;
    AlignedPair next{0, 0};
    const auto addUntil = [&](Index now, Index a) {
        for (; next.now < now; ++next.now)
            unpaired.now.push_back(next.now);
        for (; next.a < a; ++next.a)
            unpaired.a.push_back(next.a);
    };
    for (const AlignedPair &pair : pairs) {
        addUntil(pair.now, pair.a);
        ++next.now;
        ++next.a;
    }
    addUntil(nowLength, aLength);
    return unpaired;
}

} // namespace headlight::core
