#include "core/generation/choose_token.h"

#include "core/operations/softmax.h"
#include "core/random.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace headlight::core {

namespace {

/// Returns the candidate ids in ascending order.
std::vector<Index> candidatesOf(std::span<const float> logits, Index topK,
                                std::optional<Index> never) {
    std::vector<Index> ids(logits.size());
    std::iota(ids.begin(), ids.end(), Index(0));
    if (never)
        std::erase(ids, *never);
    if (topK <= 0 || topK >= std::ssize(ids))
        return ids;
    const auto logitOf = [logits](Index id) { return logits[static_cast<std::size_t>(id)]; };
    std::ranges::nth_element(ids, ids.begin() + topK, [&](Index a, Index b) {
        return logitOf(a) != logitOf(b) ? logitOf(a) > logitOf(b) : a < b;
    });
    ids.resize(static_cast<std::size_t>(topK));
    std::ranges::sort(ids);
    return ids;
}

} // namespace

Outcome validate(const Sampling &sampling) {
    if (!std::isfinite(sampling.temperature) || sampling.temperature < 0)
        return Error{"it must be 0 or greater", "temperature",
                     "use 0 for the most probable word, 1 for the model's own probabilities"};
    if (sampling.topK < 0)
        return Error{{"%1 is not a number of candidate words", sampling.topK},
                     "top-k",
                     "use a number of at least 1, or 0 for all words"};
    return Done{};
}

ChosenToken chooseToken(std::span<const float> logits, const Sampling &sampling, Index position,
                        std::optional<Index> never) {
    const bool isGreedy = sampling.temperature == 0;
    const std::vector<Index> ids = candidatesOf(logits, isGreedy ? 1 : sampling.topK, never);
    assert(!ids.empty());
    if (isGreedy)
        return {ids.front(), 1};
    std::vector<float> scores, probabilities(ids.size());
    for (const Index id : ids)
        scores.push_back(logits[static_cast<std::size_t>(id)]);
    softmax(scores, sampling.temperature, probabilities);
    double sum = 0;
    for (const float chance : probabilities)
        sum += static_cast<double>(chance);
    Random random(seedFor(sampling.seed, std::to_string(position)));
    const double drawn = random.uniform() * sum;
    double below = 0;
    std::size_t chosen = 0; // the last possible id if, because of rounding, no sum exceeds `drawn`
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (probabilities[i] == 0)
            continue;
        chosen = i;
        below += static_cast<double>(probabilities[i]);
        if (below > drawn)
            break;
    }
    return {ids[chosen], probabilities[chosen]};
}

} // namespace headlight::core
