// Training kernels: each instruction set compared with plain sums in double.
#include "core/kernels/kernels.h"
#include "core/random.h"
#include "core/training/pass/aligned_numbers.h"
#include "core_test.h"

namespace {

/// Returns random numbers [rows, width], each row padded with zeros.
AlignedNumbers someNumbers(Random &random, Index rows, Index width) {
    AlignedNumbers numbers(rows * padded(width));
    for (Index row = 0; row < rows; ++row)
        for (Index i = 0; i < width; ++i)
            numbers.data()[row * padded(width) + i] = static_cast<float>(random.normal());
    return numbers;
}

Index between(Random &random, Index least, Index most) {
    return least + static_cast<Index>(random.next() % static_cast<std::uint64_t>(most - least + 1));
}

double at(const AlignedNumbers &numbers, Index place) {
    return static_cast<double>(numbers.data()[place]);
}

} // namespace

TEST_CASE("a small product is the sum of the products, of any size and transposed") {
    for (const Kernels *set : supportedKernels()) {
        const TrainingKernels *kernels = &set->training;
        CAPTURE(set->name);
        Random random(3);
        for (int i = 0; i < 300; ++i) {
            const Index rows = between(random, 1, 40), depth = between(random, 1, 40);
            const Index columns = padded(between(random, 1, 70));
            CAPTURE(rows);
            CAPTURE(depth);
            CAPTURE(columns);
            const bool turned = i % 2 == 1, adds = i % 3 == 1, hasBias = i % 3 == 2;
            const AlignedNumbers a =
                turned ? someNumbers(random, depth, rows) : someNumbers(random, rows, depth);
            const AlignedNumbers b = someNumbers(random, depth, columns);
            const AlignedNumbers bias = someNumbers(random, 1, columns);
            AlignedNumbers out = someNumbers(random, rows, columns);
            const AlignedNumbers before = out;
            const Index rowStride = turned ? 1 : padded(depth);
            const Index depthStride = turned ? padded(rows) : 1;
            kernels->product({a.data(), rowStride, depthStride, b.data(), columns, out.data(),
                              columns, rows, depth, columns, hasBias ? bias.data() : nullptr,
                              adds ? Accumulate::Add : Accumulate::Replace});
            for (Index row = 0; row < rows; ++row)
                for (Index column = 0; column < columns; ++column) {
                    double sum = adds      ? at(before, row * columns + column)
                                 : hasBias ? at(bias, column)
                                           : 0;
                    for (Index k = 0; k < depth; ++k)
                        sum +=
                            at(a, row * rowStride + k * depthStride) * at(b, k * columns + column);
                    REQUIRE(at(out, row * columns + column) ==
                            doctest::Approx(sum).epsilon(1e-5).scale(10));
                }
        }
    }
}

TEST_CASE("a transpose is padded with zeros") {
    for (const Kernels *set : supportedKernels()) {
        const TrainingKernels *kernels = &set->training;
        Random random(4);
        for (int i = 0; i < 50; ++i) {
            const Index rows = between(random, 1, 40), columns = between(random, 1, 40);
            const AlignedNumbers in = someNumbers(random, rows, columns);
            AlignedNumbers out = someNumbers(random, columns, padded(rows));
            kernels->transpose(in.data(), padded(columns), rows, columns, out.data(), padded(rows));
            for (Index column = 0; column < columns; ++column)
                for (Index row = 0; row < padded(rows); ++row)
                    REQUIRE(out.data()[column * padded(rows) + row] ==
                            (row < rows ? in.data()[row * padded(columns) + column] : 0));
        }
    }
}

TEST_CASE("softmax by row gives hidden cells and fully masked rows zeros") {
    constexpr float kNone = -std::numeric_limits<float>::infinity();
    for (const Kernels *set : supportedKernels()) {
        const TrainingKernels *kernels = &set->training;
        CAPTURE(set->name);
        Random random(6);
        const Index rows = 7, columns = 21, stride = padded(columns);
        AlignedNumbers scores = someNumbers(random, rows, columns);
        const AlignedNumbers raw = scores;
        AlignedNumbers hidden(rows * stride), padding(stride);
        for (Index row = 0; row < rows; ++row)
            for (Index i = 0; i < stride; ++i)
                if (i >= columns || i > row + 2 || row == 5)
                    hidden.data()[row * stride + i] = kNone;
        padding.data()[3] = kNone;
        kernels->softmax(
            {scores.data(), rows, stride, stride, 0.5f, nullptr, hidden.data(), padding.data()});
        for (Index row = 0; row < rows; ++row) {
            double sum = 0;
            for (Index i = 0; i <= row + 2; ++i)
                sum += i == 3 ? 0 : std::exp(at(raw, row * stride + i) * 0.5);
            for (Index i = 0; i < stride; ++i) {
                const bool sees = row != 5 && i <= row + 2 && i != 3;
                REQUIRE(at(scores, row * stride + i) ==
                        doctest::Approx(sees ? std::exp(at(raw, row * stride + i) * 0.5) / sum : 0)
                            .epsilon(1e-5));
            }
        }
    }
}

TEST_CASE("a target's loss is −ln p, its gradient p − 1 there and p elsewhere") {
    for (const Kernels *set : supportedKernels()) {
        const TrainingKernels *kernels = &set->training;
        CAPTURE(set->name);
        Random random(8);
        for (const Index count : {1, 3, 16, 21, 33, 64}) {
            CAPTURE(count);
            AlignedNumbers logits = someNumbers(random, 1, count);
            const AlignedNumbers raw = logits;
            const Index answer = between(random, 0, count - 1);
            double sum = 0, largest = -1e9;
            for (Index i = 0; i < count; ++i) {
                sum += std::exp(at(raw, i));
                largest = std::max(largest, at(raw, i));
            }
            const TargetRow said = kernels->answer(logits.data(), count, answer, 0.25f);
            CHECK(said.loss == doctest::Approx(std::log(sum) - at(raw, answer)).epsilon(1e-5));
            CHECK(said.isRight == (at(raw, answer) >= largest));
            for (Index i = 0; i < padded(count); ++i) {
                const double p = i < count ? std::exp(at(raw, i)) / sum : 0;
                CHECK(at(logits, i) ==
                      doctest::Approx((p - (i == answer ? 1 : 0)) / 4).epsilon(1e-5));
            }
        }
    }
}

TEST_CASE("a step of AdamW matches the paper, number by number") {
    for (const Kernels *set : supportedKernels()) {
        const TrainingKernels *kernels = &set->training;
        CAPTURE(set->name);
        Random random(9);
        AlignedNumbers weights = someNumbers(random, 1, 32), first = someNumbers(random, 1, 32);
        AlignedNumbers second(32);
        const AlignedNumbers gradient = someNumbers(random, 1, 32);
        for (Index i = 0; i < 32; ++i)
            second.data()[i] = static_cast<float>(random.uniform());
        const AlignedNumbers w = weights, m = first, v = second;
        // Step 3, with a learning rate of 0.01, a weight decay of 0.1 and half the gradient.
        const double b1 = 0.9, b2 = 0.99, rate = 0.01, decay = 0.1, epsilon = 1e-8;
        const AdamStep step{static_cast<float>(b1),
                            static_cast<float>(b2),
                            static_cast<float>(rate / (1 - std::pow(b1, 3))),
                            static_cast<float>(1 / std::sqrt(1 - std::pow(b2, 3))),
                            static_cast<float>(epsilon),
                            static_cast<float>(1 - rate * decay),
                            0.5f};
        const ParameterSlices in{weights.data(), first.data(), second.data()};
        kernels->adam(step, gradient.data(), 32, in, in);
        for (Index i = 0; i < 32; ++i) {
            const double g = at(gradient, i) / 2;
            const double m1 = b1 * at(m, i) + (1 - b1) * g, v1 = b2 * at(v, i) + (1 - b2) * g * g;
            const double mHat = m1 / (1 - std::pow(b1, 3)), vHat = v1 / (1 - std::pow(b2, 3));
            CHECK(at(first, i) == doctest::Approx(m1).epsilon(1e-5));
            CHECK(at(second, i) == doctest::Approx(v1).epsilon(1e-5));
            CHECK(at(weights, i) ==
                  doctest::Approx(at(w, i) -
                                  rate * (mHat / (std::sqrt(vHat) + epsilon) + decay * at(w, i)))
                      .epsilon(1e-5));
        }
    }
}
