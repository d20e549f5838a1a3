#include "core/analysis/likely_words.h"

#include <algorithm>

namespace headlight::core {

std::vector<LikelyWord> likeliestWords(const Trace &trace, Index sequence, Index token,
                                       std::size_t count) {
    const SharedMatrix all = trace.matrix(Stage::Probabilities, {}, sequence, 0);
    if (token < 0 || token >= all.rows)
        return {};
    std::vector<LikelyWord> words;
    for (Index word = 0; word < all.columns; ++word)
        words.push_back({word, all(token, word)});
    const std::size_t kept = std::min(count, words.size());
    std::partial_sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(kept), words.end(),
                      [](const LikelyWord &a, const LikelyWord &b) {
                          return a.probability != b.probability ? a.probability > b.probability
                                                                : a.word < b.word;
                      });
    words.resize(kept);
    return words;
}

} // namespace headlight::core
