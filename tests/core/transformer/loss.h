// A loss over stages of a trace: Σ coefficient · number. Its gradient with respect to each of these
// stages is the coefficients.
#pragma once

#include "../random_models.h"
#include "core/transformer/run/backward.h"

#include <cmath>
#include <limits>

namespace headlight::core::test {

inline Tensor randomTensor(Random &random, const Shape &shape) {
    std::vector<float> values(static_cast<std::size_t>(shape.count()));
    for (float &value : values)
        value = static_cast<float>(random.normal());
    return Tensor(shape, std::move(values));
}

inline Seed randomSeed(Random &random, const Trace &trace, const std::string &stage) {
    return {stage, randomTensor(random, trace.stage(stage).shape())};
}

struct Loss {
    std::vector<Seed> seeds;

    double of(const Trace &trace) const {
        double sum = 0;
        eachTerm(trace, [&](double term) { sum += term; });
        return sum;
    }
    /// Returns the sum of the terms' magnitudes. Rounding errors are relative to it.
    double size(const Trace &trace) const {
        double sum = 0;
        eachTerm(trace, [&](double term) { sum += std::abs(term); });
        return sum;
    }

  private:
    template <typename Use>
    void eachTerm(const Trace &trace, Use use) const {
        for (const auto &[stage, gradient] : seeds) {
            const Tensor numbers = trace.stage(stage);
            REQUIRE(numbers.shape() == gradient.shape());
            for (std::size_t i = 0; i < numbers.values().size(); ++i)
                use(static_cast<double>(numbers.values()[i]) *
                    static_cast<double>(gradient.values()[i]));
        }
    }
};

inline GradientsPointer gradientsOf(const Trace &trace, const Loss &loss, bool keepStages = true) {
    auto gradients = backward(trace, loss.seeds, keepStages);
    REQUIRE_MESSAGE(gradients.ok(), (gradients.ok() ? "" : gradients.error().text()));
    return *gradients;
}

/// Returns the slope of a function of a step at 0, from five points. The error falls with step⁴, so
/// the step may be large relative to the rounding of 32-bit floats.
template <typename Function>
double slopeOf(Function function, double step) {
    return (8 * (function(step) - function(-step)) - (function(2 * step) - function(-2 * step))) /
           (12 * step);
}

} // namespace headlight::core::test
