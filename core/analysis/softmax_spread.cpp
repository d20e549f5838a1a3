#include "core/analysis/softmax_spread.h"

#include "core/cancelled.h"
#include "core/random.h"
#include "core/tensor/in_parallel.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace headlight::core {

namespace {

constexpr Index kMaxDraws = 2000;                // the standard error of a share is at most 1.1 %
constexpr Index kMaxComponents = Index(1) << 25; // limit on the components of all drawn vectors
constexpr Index kDrawsAtOnce = 25;               // draws per work item of a thread

using Drawn = std::array<double, kDrawnKeys>;

/// Draws the dot products of one query and 8 keys, component by component.
Drawn drawnScores(Index headSize, Random &random) {
    Drawn scores{};
    for (Index i = 0; i < headSize; ++i) {
        const double query = random.normal();
        for (double &score : scores)
            score += query * random.normal();
    }
    return scores;
}

/// e^(score − largest) of each score, and their sum.
struct Exponentials {
    std::vector<double> of;
    double sum = 0;
};
Exponentials exponentialsOf(std::span<const double> scores) {
    Exponentials made;
    const double largest = *std::ranges::max_element(scores);
    for (const double score : scores) {
        made.of.push_back(std::exp(score - largest));
        made.sum += made.of.back();
    }
    return made;
}

double medianOf(std::vector<double> numbers) {
    const auto middle = numbers.begin() + std::ssize(numbers) / 2;
    std::ranges::nth_element(numbers, middle);
    if (numbers.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(numbers.begin(), middle)) / 2;
}

DrawnScores summaryOf(const std::vector<Drawn> &draws, double divisor, double expected) {
    DrawnScores made;
    made.expected = expected;
    std::vector<double> norms, largest;
    double squares = 0;
    const double width = 2 * kSpreadReach * expected / static_cast<double>(kSpreadBins);
    for (Drawn draw : draws) {
        for (double &score : draw) {
            score /= divisor;
            squares += score * score;
            const double bin = std::floor((score + kSpreadReach * expected) / width);
            if (bin >= 0 && bin < static_cast<double>(kSpreadBins))
                ++made.bins[static_cast<std::size_t>(bin)];
        }
        norms.push_back(jacobianNormOf(draw));
        largest.push_back(1 / exponentialsOf(draw).sum);
    }
    const auto count = static_cast<double>(draws.size());
    made.deviation = std::sqrt(squares / (count * static_cast<double>(kDrawnKeys)));
    made.vanished = static_cast<double>(std::ranges::count_if(
                        norms, [](double norm) { return norm < kVanished; })) /
                    count;
    made.medianNorm = medianOf(std::move(norms));
    made.medianLargest = medianOf(std::move(largest));
    return made;
}

} // namespace

double jacobianNormOf(std::span<const double> scores) {
    if (scores.empty())
        return 0;
    const Exponentials made = exponentialsOf(scores);
    double squares = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        double others = 0; // a sum, because 1 − p loses all digits if p is almost 1
        for (std::size_t j = 0; j < scores.size(); ++j)
            if (j != i) {
                others += made.of[j];
                squares += std::pow(made.of[i] * made.of[j], 2);
            }
        squares += std::pow(made.of[i] * others, 2);
    }
    return std::sqrt(squares) / (made.sum * made.sum);
}

Index drawsOf(Index headSize) {
    return std::min(kMaxDraws, kMaxComponents / (headSize * (1 + kDrawnKeys)));
}

Result<SoftmaxSpread> softmaxSpread(Index headSize, std::uint64_t seed, std::stop_token stop) {
    SoftmaxSpread spread{headSize, seed, drawsOf(headSize), {}, {}};
    std::vector<Drawn> draws(static_cast<std::size_t>(spread.draws));
    inParallel((spread.draws + kDrawsAtOnce - 1) / kDrawsAtOnce, [&](Index item, Index) {
        const Index end = std::min(spread.draws, (item + 1) * kDrawsAtOnce);
        for (Index draw = item * kDrawsAtOnce; draw < end && !stop.stop_requested(); ++draw) {
            Random random(seedFor(seed, "draw " + std::to_string(draw)));
            draws[static_cast<std::size_t>(draw)] = drawnScores(headSize, random);
        }
    });
    if (stop.stop_requested())
        return cancelled();
    const double root = std::sqrt(static_cast<double>(headSize));
    spread.plain = summaryOf(draws, 1, root);
    spread.scaled = summaryOf(draws, root, 1);
    return spread;
}

} // namespace headlight::core
