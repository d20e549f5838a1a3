// What is looked at where softmax is shown: of which row, and of how many drawn dot products. What
// a session, a lesson's step and the command line can say of it.
#pragma once

#include "core/tensor/shape.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace headlight::core {

enum class SoftmaxPart {
    Row,   ///< logits, what softmax makes of them, and its Jacobian
    Spread ///< how far dot products of d_k components spread, and what that does to softmax
};

struct SoftmaxLook {
    SoftmaxPart part = SoftmaxPart::Row;
    /// Numbers of one's own, not the model's; empty: the row of the selected query.
    std::vector<float> logits;
    float times = 1;       ///< what they are multiplied by, > 0
    float temperature = 1; ///< what they are divided by then, > 0; a model has its own
    Index headSize = 64;   ///< d_k: how many components the drawn queries and keys have
    std::uint64_t seed = 1;

    bool isOwn() const { return !logits.empty(); }
    /// What a person made; the rest is where they look.
    bool hasNumbersOf(const SoftmaxLook &other) const {
        return logits == other.logits && times == other.times && temperature == other.temperature;
    }
    void takeNumbersOf(const SoftmaxLook &other) {
        logits = other.logits;
        times = other.times;
        temperature = other.temperature;
    }
    bool operator==(const SoftmaxLook &) const = default;
};

/// What is said of it; the rest stays as it is.
struct SoftmaxPatch {
    std::optional<SoftmaxPart> part{};
    std::optional<std::vector<float>> logits{};
    std::optional<float> times{}, temperature{};
    std::optional<Index> headSize{};
    std::optional<std::uint64_t> seed{};

    bool empty() const { return *this == SoftmaxPatch(); }
    /// `before` with what the patch says laid over it. What only one of the parts has means that
    /// part, where none is said.
    SoftmaxLook applied(SoftmaxLook before) const;
    bool operator==(const SoftmaxPatch &) const = default;
};

inline SoftmaxLook SoftmaxPatch::applied(SoftmaxLook before) const {
    const bool meansSpread = headSize || seed, meansRow = logits || times || temperature;
    if (meansSpread != meansRow)
        before.part = meansSpread ? SoftmaxPart::Spread : SoftmaxPart::Row;
    before.part = part.value_or(before.part);
    before.logits = logits.value_or(before.logits);
    before.times = times.value_or(before.times);
    before.temperature = temperature.value_or(before.temperature);
    before.headSize = headSize.value_or(before.headSize);
    before.seed = seed.value_or(before.seed);
    return before;
}

inline constexpr std::size_t kMostOwnLogits = 64;
inline constexpr float kMostTimes = 1e6f;
/// Of one of them, multiplied or not.
inline constexpr float kLargestOwnLogit = 1e6f;
inline constexpr float kLeastOwnTemperature = 1e-4f;
inline constexpr float kMostOwnTemperature = 1e4f;
inline constexpr Index kMostDrawnHeadSize = 4096;

/// Six that differ little: softmax makes six like probabilities of them, and of a hundred times as
/// large ones a single one.
inline constexpr std::array<float, 6> kSixLogits{0.1f, 0.4f, -0.9f, 0.02f, 0.35f, -0.62f};

inline bool isOwnLogit(float logit) {
    return std::abs(logit) <= kLargestOwnLogit; // not NaN either
}
inline bool isOwnTimes(float times) {
    return times > 0 && times <= kMostTimes;
}
inline bool isOwnTemperature(float temperature) {
    return temperature >= kLeastOwnTemperature && temperature <= kMostOwnTemperature;
}

} // namespace headlight::core
