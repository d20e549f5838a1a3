#include "core/transformer/run/each.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

struct EachNumber {
    std::span<const float> x;
    std::span<float> out;

    void operator()(op::Scale of) const {
        each([factor = of.factor](float number) { return number * factor; });
    }
    void operator()(op::Softcap of) const {
        each([limit = of.limit](float number) { return limit * std::tanh(number / limit); });
    }
    void operator()(op::Tanh) const {
        each([](float number) { return std::tanh(number); });
    }
    void operator()(op::Sigmoid) const {
        each([](float number) { return 1 / (1 + std::exp(-number)); });
    }
    void operator()(Activation activation) const { activate(x, activation, out); }

    template <typename Work>
    void each(Work work) const {
        std::ranges::transform(x, out.begin(), work);
    }
};

struct EachSlope {
    std::span<const float> numbers;
    std::span<float> gradient;

    void operator()(op::Scale of) const {
        for (float &number : gradient)
            number *= of.factor;
    }
    void operator()(op::Softcap of) const {
        each([limit = of.limit](float y, float arriving) {
            return arriving * (1 - (y / limit) * (y / limit));
        });
    }
    void operator()(op::Tanh) const {
        each([](float y, float arriving) { return arriving * (1 - y * y); });
    }
    void operator()(op::Sigmoid) const {
        each([](float y, float arriving) { return arriving * y * (1 - y); });
    }
    void operator()(Activation activation) const {
        activateBackward(numbers, activation, gradient, gradient);
    }

    template <typename Work>
    void each(Work work) const {
        std::ranges::transform(numbers, gradient, gradient.begin(), work);
    }
};

struct NeededForSlope {
    NumbersNeeded operator()(op::Scale) const { return NumbersNeeded::None; }
    NumbersNeeded operator()(op::Softcap) const { return NumbersNeeded::Made; }
    NumbersNeeded operator()(op::Tanh) const { return NumbersNeeded::Made; }
    NumbersNeeded operator()(op::Sigmoid) const { return NumbersNeeded::Made; }
    NumbersNeeded operator()(Activation) const { return NumbersNeeded::Read; }
};

} // namespace

void applyEach(const op::Function &function, std::span<const float> x, std::span<float> out) {
    std::visit(EachNumber{x, out}, function);
}

NumbersNeeded numbersNeeded(const op::Function &function) {
    return std::visit(NeededForSlope{}, function);
}

void eachBackward(const op::Function &function, std::span<const float> numbers,
                  std::span<float> gradient) {
    std::visit(EachSlope{numbers, gradient}, function);
}

} // namespace headlight::core
