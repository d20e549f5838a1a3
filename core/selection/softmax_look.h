// State of the softmax view: the row that it shows, or the head size of the sampled dot products.
// Sessions, lesson steps and the command line can set it.
#pragma once

#include "core/tensor/shape.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace headlight::core {

enum class SoftmaxPart {
    Row,   ///< logits, their softmax and its Jacobian
    Spread ///< distribution of dot products of d_k components, and its effect on softmax
};

struct SoftmaxLook {
    SoftmaxPart part = SoftmaxPart::Row;
    /// The user's logits. Empty: shows the row of the selected query.
    std::vector<float> logits;
    float times = 1;       ///< factor of the logits, > 0
    float temperature = 1; ///< divisor of the multiplied logits, > 0; not the model's
    Index headSize = 64;   ///< d_k: number of components of the sampled queries and keys
    std::uint64_t seed = 1;

    bool isOwn() const { return !logits.empty(); }
    /// True if logits, factor and temperature are equal. The other members only determine what is
    /// shown.
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

/// A partial change. Members without a value leave the field unchanged.
struct SoftmaxPatch {
    std::optional<SoftmaxPart> part{};
    std::optional<std::vector<float>> logits{};
    std::optional<float> times{}, temperature{};
    std::optional<Index> headSize{};
    std::optional<std::uint64_t> seed{};

    bool empty() const { return *this == SoftmaxPatch(); }
    /// Returns `before` with the patch applied. If `part` is not set but all fields of the patch
    /// belong to one part, that part is selected.
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

inline constexpr std::size_t kMaxOwnLogits = 64;
inline constexpr float kMaxTimes = 1e6f;
/// Maximum absolute value of a logit.
inline constexpr float kLargestOwnLogit = 1e6f;
inline constexpr float kMinOwnTemperature = 1e-4f;
inline constexpr float kMaxOwnTemperature = 1e4f;
inline constexpr Index kMaxDrawnHeadSize = 4096;

/// Six similar logits, whose softmax is nearly uniform. If they are multiplied by 100, one of them
/// gets almost all the weight.
inline constexpr std::array<float, 6> kSixLogits{0.1f, 0.4f, -0.9f, 0.02f, 0.35f, -0.62f};

inline bool isOwnLogit(float logit) {
    return std::abs(logit) <= kLargestOwnLogit; // false for NaN
}
inline bool isOwnTimes(float times) {
    return times > 0 && times <= kMaxTimes;
}
inline bool isOwnTemperature(float temperature) {
    return temperature >= kMinOwnTemperature && temperature <= kMaxOwnTemperature;
}

} // namespace headlight::core
