#include "core/analysis/attention_rollout.h"

#include "core/cancelled.h"
#include "core/tensor/in_parallel.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headlight::core {

namespace {

Result<TokenMixing> mixedLayer(const Trace &trace, AttentionId attention, Index sequence,
                               const std::stop_token &stop) {
    const auto step = trace.plan().find({Stage::AttentionWeights, attention});
    if (!step && !trace.model().isCaptured())
        return Error{{"layer %1 has no self-attention", attention.layer},
                     "",
                     "rollout and flow need self-attention in every layer"};
    if (!step)
        return Error{{"layer %1 has no attention weights", attention.layer},
                     "",
                     "a capture must contain those of all layers"};
    LayerMixing mixing(trace.queries(attention)[sequence].length);
    for (Index head = 0; head < trace.model().headsOf(attention); ++head) {
        const Result<SharedMatrix> weights = trace.madeMatrix(*step, sequence, head, stop);
        if (!weights)
            return weights.error();
        mixing.add(weights->view());
    }
    return mixing.mixed();
}

/// Calls `use` with Ā of each layer, from the first to the last.
Outcome forEachLayer(const Trace &trace, Stack stack, Index sequence, const std::stop_token &stop,
                     const std::function<Outcome(TokenMixing)> &use) {
    if (!trace.model().hasStack(stack) || trace.model().layerCount(stack) == 0)
        return Error{
            {"this source has no layers in its %1", wordOf(stack)}, "--stack", "leave it out"};
    const Index tokens = trace.queries({0, Block::SelfAttention, stack})[sequence].length;
    if (tokens > kMaxMixedTokens)
        return Error{{"%1 tokens are too many", tokens},
                     "--text",
                     {"a text may have up to %1 tokens here", kMaxMixedTokens}};
    for (Index layer = 0; layer < trace.model().layerCount(stack); ++layer) {
        if (stop.stop_requested())
            return cancelled();
        Result<TokenMixing> mixed =
            mixedLayer(trace, {layer, Block::SelfAttention, stack}, sequence, stop);
        if (!mixed)
            return mixed.error();
        if (Outcome used = use(*std::move(mixed)); !used)
            return used;
    }
    return Done{};
}

/// Returns left · right. Skips zeros of `left`, which are about half of a causal model's values.
Result<TokenMixing> product(const TokenMixing &left, const TokenMixing &right,
                            const std::stop_token &stop) {
    constexpr Index kRows = 16;
    TokenMixing result(left.size);
    inParallel((left.size + kRows - 1) / kRows, [&](Index block, Index) {
        if (stop.stop_requested())
            return;
        for (Index i = block * kRows; i < std::min(left.size, (block + 1) * kRows); ++i) {
            double *const out = result.values.data() + i * result.size;
            for (Index k = 0; k < left.size; ++k) {
                const double factor = left(i, k);
                if (factor == 0)
                    continue;
                const double *const row = right.values.data() + k * right.size;
                for (Index j = 0; j < right.size; ++j)
                    out[j] += factor * row[j];
            }
        }
    });
    if (stop.stop_requested())
        return cancelled();
    return result;
}

} // namespace

void LayerMixing::add(MatrixView weights) {
    ++m_heads;
    const Index tokens = std::min({m_sum.size, weights.rows, weights.columns});
    for (Index i = 0; i < tokens; ++i) {
        double total = 0;
        for (Index j = 0; j < tokens; ++j)
            total += std::abs(static_cast<double>(weights(i, j)));
        if (!(total > 0) || !std::isfinite(total))
            continue;
        for (Index j = 0; j < tokens; ++j)
            m_sum(i, j) += std::abs(static_cast<double>(weights(i, j))) / total;
    }
}

TokenMixing LayerMixing::mixed() const {
    TokenMixing mixed(m_sum.size);
    for (Index i = 0; i < mixed.size; ++i) {
        double total = 0;
        for (Index j = 0; j < mixed.size; ++j) {
            const double mean = m_heads > 0 ? m_sum(i, j) / static_cast<double>(m_heads) : 0;
            mixed(i, j) = (mean + (i == j ? 1 : 0)) / 2;
            total += mixed(i, j);
        }
        for (Index j = 0; j < mixed.size; ++j)
            mixed(i, j) /= total; // total ≥ ½
    }
    return mixed;
}

Result<std::vector<TokenMixing>> mixedLayers(const Trace &trace, Stack stack, Index sequence,
                                             const std::stop_token &stop) {
    std::vector<TokenMixing> layers;
    const Outcome made = forEachLayer(trace, stack, sequence, stop, [&](TokenMixing mixed) {
        layers.push_back(std::move(mixed));
        return Outcome(Done{});
    });
    if (!made)
        return made.error();
    return layers;
}

Result<TokenMixing> rolloutOf(std::span<const TokenMixing> layers, const std::stop_token &stop) {
    assert(!layers.empty());
    TokenMixing rollout = layers.front();
    for (const TokenMixing &layer : layers.subspan(1)) {
        Result<TokenMixing> next = product(layer, rollout, stop);
        if (!next)
            return next;
        rollout = *std::move(next);
    }
    return rollout;
}

Result<TokenMixing> attentionRollout(const Trace &trace, Stack stack, Index sequence,
                                     const std::stop_token &stop) {
    TokenMixing rollout;
    const Outcome made =
        forEachLayer(trace, stack, sequence, stop, [&](TokenMixing mixed) -> Outcome {
            if (rollout.size == 0) {
                rollout = std::move(mixed);
                return Done{};
            }
            Result<TokenMixing> next = product(mixed, rollout, stop);
            if (!next)
                return next.error();
            rollout = *std::move(next);
            return Done{};
        });
    if (!made)
        return made.error();
    return rollout;
}

} // namespace headlight::core
