#include "core/analysis/top_tokens.h"

#include <algorithm>

namespace headlight::core {

std::vector<TopToken> likeliestOf(std::span<const float> probabilities, std::size_t count) {
    std::vector<TopToken> words;
    for (std::size_t word = 0; word < probabilities.size(); ++word)
        words.push_back({static_cast<Index>(word), probabilities[word]});
    const std::size_t kept = std::min(count, words.size());
    std::partial_sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(kept), words.end(),
                      [](const TopToken &a, const TopToken &b) {
                          return a.probability != b.probability ? a.probability > b.probability
                                                                : a.word < b.word;
                      });
    words.resize(kept);
    return words;
}

std::vector<TopToken> topTokens(const Trace &trace, Index sequence, Index token,
                                std::size_t count) {
    const auto step = trace.plan().find({Stage::Probabilities, {}});
    if (!step || token < 0 || token >= trace.plan()[*step].shape.last(1))
        return {};
    const SharedMatrix row = trace.rows(*step, sequence, 0, {token, 1});
    if (row.empty())
        return {};
    return likeliestOf(row.row(0), count);
}

} // namespace headlight::core
