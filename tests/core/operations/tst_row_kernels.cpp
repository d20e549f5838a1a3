// Row kernels, with each instruction set that this processor supports.
#include "core/kernels/kernels.h"
#include "core/random.h"
#include "core_test.h"

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

float exponential(const RowKernels &kernels, float x) {
    float out = 0;
    kernels.exponentials(&x, 1, 0, 1, &out);
    return out;
}

/// Calls `check` with the kernels of each instruction set.
template <typename Check>
void withEach(Check check) {
    for (const Kernels *kernels : supportedKernels()) {
        CAPTURE(kernels->name);
        check(kernels->rows);
    }
}

bool sameBits(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

} // namespace

TEST_CASE("the exponential matches the standard library's to the last digits") {
    withEach([](const RowKernels &kernels) {
        double worst = 0;
        for (float x = -87.3f; x < 88.3f; x += 0.00173f)
            worst = std::max(worst, std::abs(static_cast<double>(exponential(kernels, x)) /
                                                 std::exp(static_cast<double>(x)) -
                                             1));
        CHECK(worst < 2e-7);
        CHECK(worst > 1e-8); // the results do differ slightly
    });
}

TEST_CASE("the exponential at the limits of floats") {
    withEach([](const RowKernels &kernels) {
        CHECK(exponential(kernels, 0) == 1);
        CHECK(exponential(kernels, -0.0f) == 1);
        for (const float x : {-88.0f, -89.0f, -1e10f, -3e38f, -kInfinity})
            CHECK(exponential(kernels, x) == 0);
        for (const float x : {88.5f, 89.0f, 1e10f, 3e38f, kInfinity})
            CHECK(exponential(kernels, x) == kInfinity);
        CHECK(std::isnan(exponential(kernels, std::nanf(""))));
    });
}

TEST_CASE("GELU keeps its precision where the normal distribution is small") {
    withEach([](const RowKernels &kernels) {
        const auto gelu = kernels.activations[static_cast<int>(Activation::Gelu)];
        double worst = 0;
        for (float x = -10; x <= 10; x += 0.00073f) {
            const auto precise = static_cast<double>(x);
            const double below = std::erfc(-precise / std::sqrt(2)) / 2;
            float out = 0;
            gelu.values(&x, 1, &out);
            if (x != 0)
                worst = std::max(worst, std::abs(static_cast<double>(out) / (precise * below) - 1));
        }
        CAPTURE(worst);
        CHECK(worst < 3e-6);
        CHECK(worst > 1e-8);
        for (const float far : {14.0f, 1e3f, 1e30f, 3e38f}) {
            const float x[] = {far, -far};
            float out[2];
            gelu.values(x, 2, out);
            CHECK(out[0] == far);
            CHECK(out[1] == 0);
        }
    });
}

TEST_CASE("a number has the same result at any position and next to any others") {
    Random random(5);
    withEach([&random](const RowKernels &kernels) {
        for (int round = 0; round < 200; ++round) {
            const auto count = static_cast<std::size_t>(1 + random.next() % 40);
            const std::size_t place = random.next() % count;
            std::vector<float> x(count), gradient(count), out(count);
            for (std::size_t i = 0; i < count; ++i) {
                x[i] = static_cast<float>(random.uniform() * 20 - 10);
                gradient[i] = static_cast<float>(random.uniform() - 0.5);
            }
            const float one = x[place];
            float alone = 0;
            for (const ActivationKernels &activation : kernels.activations) {
                activation.values(x.data(), count, out.data());
                activation.values(&one, 1, &alone);
                CHECK(sameBits(out[place], alone));
                activation.slopes(x.data(), gradient.data(), count, out.data());
                activation.slopes(&one, &gradient[place], 1, &alone);
                CHECK(sameBits(out[place], alone));
            }
            const double sum = kernels.exponentials(x.data(), count, 2, 0.7f, out.data());
            kernels.exponentials(&one, 1, 2, 0.7f, &alone);
            CHECK(sameBits(out[place], alone));
            double expected = 0;
            for (const float number : out)
                expected += static_cast<double>(number);
            CHECK(sum == doctest::Approx(expected).epsilon(1e-12));
            CHECK(kernels.maximum(x.data(), count) == *std::ranges::max_element(x));
            kernels.scale(out.data(), count, 3);
            CHECK(sameBits(out[place], 3 * alone));
            kernels.activations[1].values(x.data(), count, out.data());
            kernels.activations[1].values(x.data(), count, x.data()); // in place
            CHECK(x == out);
        }
    });
}

TEST_CASE("the sum of exponentials is exact in double") {
    Random random(7);
    withEach([&](const RowKernels &kernels) {
        CHECK(kernels.sumOfExponentials(nullptr, 0, 1) == 0);
        for (float x = -707; x < 700; x += 0.37f) {
            const double expected = std::exp(static_cast<double>(x) - 0.25);
            CHECK(std::abs(kernels.sumOfExponentials(&x, 1, 0.25) / expected - 1) < 2e-15);
        }
        const float largest = 3.5f;
        CHECK(kernels.sumOfExponentials(&largest, 1, 3.5) == 1);
        const float lowest[] = {-kInfinity, std::numeric_limits<float>::lowest()};
        CHECK(kernels.sumOfExponentials(lowest, 2, 0) < 1e-300);
        for (std::size_t count = 1; count < 70; ++count) {
            std::vector<float> x(count);
            double expected = 0;
            for (float &number : x) {
                number = static_cast<float>(5 * random.normal());
                expected += std::exp(static_cast<double>(number) - 2);
            }
            CHECK(std::abs(kernels.sumOfExponentials(x.data(), count, 2) / expected - 1) < 1e-14);
        }
    });
}

TEST_CASE("a single NaN or infinity is found at any position") {
    withEach([](const RowKernels &kernels) {
        constexpr float lowest = std::numeric_limits<float>::lowest();
        CHECK(kernels.areWithin(nullptr, 0, lowest));
        CHECK(kernels.maximum(nullptr, 0) == -kInfinity);
        for (std::size_t count = 1; count < 35; ++count)
            for (std::size_t place = 0; place < count; ++place) {
                std::vector<float> x(count, -3e38f);
                CHECK(kernels.areWithin(x.data(), count, lowest));
                for (const float wrong : {kInfinity, std::nanf("")}) {
                    x[place] = wrong;
                    CHECK_FALSE(kernels.areWithin(x.data(), count, -kInfinity));
                }
                x[place] = -kInfinity;
                CHECK_FALSE(kernels.areWithin(x.data(), count, lowest));
                CHECK(kernels.areWithin(x.data(), count, -kInfinity));
            }
    });
}
