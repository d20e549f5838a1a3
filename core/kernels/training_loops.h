// The loops of training_kernels.h except products, written once for all vector instruction sets
// (see vectors.h for the restrictions).
#pragma once

#include "core/kernels/training_products.h"

namespace headlight::core {

namespace {

inline float sumOf(Vector vector) {
    float halves[kLanes];
    store(halves, vector);
    for (int step = kLanes / 2; step > 0; step /= 2)
        for (int lane = 0; lane < step; ++lane)
            halves[lane] += halves[lane + step];
    return halves[0];
}

inline float largestOf(Vector vector) {
    float halves[kLanes];
    store(halves, vector);
    for (int step = kLanes / 2; step > 0; step /= 2)
        for (int lane = 0; lane < step; ++lane)
            halves[lane] = halves[lane + step] > halves[lane] ? halves[lane + step] : halves[lane];
    return halves[0];
}

/// Computes the square root of each lane; compilers vectorise this loop if they can.
inline Vector squareRoot(Vector x) {
    for (int lane = 0; lane < kLanes; ++lane)
        x[lane] = __builtin_sqrtf(x[lane]);
    return x;
}

void transposeLoop(const float *in, std::int64_t inStride, std::int64_t rows, std::int64_t columns,
                   float *out, std::int64_t outStride) {
    // Each step writes kPadding results of a row, from kPadding rows of `in` that stay in the
    // cache.
    for (std::int64_t row = 0; row < outStride; row += kPadding)
        for (std::int64_t column = 0; column < columns; ++column) {
            float *to = out + column * outStride + row;
            const float *from = in + row * inStride + column;
            const std::int64_t there = rows - row < kPadding ? rows - row : kPadding;
            std::int64_t i = 0;
            for (; i < there; ++i)
                to[i] = from[i * inStride];
            for (; i < kPadding; ++i)
                to[i] = 0;
        }
}

void softmaxLoop(const SoftmaxRows &given) {
    const Vector factor = all(given.factor);
    for (std::int64_t row = 0; row < given.rows; ++row) {
        float *scores = given.scores + row * given.stride;
        const float *hidden = given.hidden + row * given.stride;
        const float *bias = given.bias ? given.bias + row * given.stride : nullptr;
        Vector largest = all(-kInfinity);
        for (std::int64_t i = 0; i < given.columns; i += kLanes) {
            Vector score = load(scores + i) * factor;
            if (bias)
                score += load(bias + i);
            const Vector byRow = load(hidden + i), byPadding = load(given.padding + i);
            const Vector instead = byRow != 0 ? byRow : byPadding;
            score = instead != 0 ? instead : score;
            store(scores + i, score);
            largest = score > largest ? score : largest;
        }
        const float shift = largestOf(largest);
        if (shift == -kInfinity) { // all keys are hidden
            for (std::int64_t i = 0; i < given.columns; i += kLanes)
                store(scores + i, all(0));
            continue;
        }
        Vector sums = all(0);
        for (std::int64_t i = 0; i < given.columns; i += kLanes) {
            const Vector made = exponential(load(scores + i) - shift);
            store(scores + i, made);
            sums += made;
        }
        const Vector share = all(1 / sumOf(sums));
        for (std::int64_t i = 0; i < given.columns; i += kLanes)
            store(scores + i, load(scores + i) * share);
    }
}

void softmaxBackwardLoop(const float *weights, float *gradient, std::int64_t rows,
                         std::int64_t columns, std::int64_t stride, float factor) {
    for (std::int64_t row = 0; row < rows; ++row, weights += stride, gradient += stride) {
        Vector sums = all(0);
        for (std::int64_t i = 0; i < columns; i += kLanes)
            sums += load(weights + i) * load(gradient + i);
        const Vector mean = all(sumOf(sums)), times = all(factor);
        for (std::int64_t i = 0; i < columns; i += kLanes)
            store(gradient + i, load(weights + i) * (load(gradient + i) - mean) * times);
    }
}

/// Returns 1 in the first `count` lanes, 0 in the others.
inline Vector firstLanes(std::int64_t count) {
    Vector lanes = all(0);
    for (int lane = 0; lane < kLanes; ++lane)
        lanes[lane] = lane < count ? 1.0f : 0.0f;
    return lanes;
}

void normLoop(const NormRows &given, float *out) {
    const std::int64_t width = padded(given.width);
    const float share = 1 / static_cast<float>(given.width);
    const std::int64_t whole = given.width / kLanes * kLanes;
    const Vector last = firstLanes(given.width - whole);
    for (std::int64_t row = 0; row < given.rows; ++row) {
        const float *x = given.x + row * given.stride;
        float *to = out + row * given.stride;
        float mean = 0;
        if (given.centred) {
            Vector sums = all(0);
            for (std::int64_t i = 0; i < width; i += kLanes)
                sums += load(x + i);
            mean = sumOf(sums) * share;
        }
        Vector squares = all(0);
        for (std::int64_t i = 0; i < whole; i += kLanes) {
            const Vector apart = load(x + i) - mean;
            squares += apart * apart;
        }
        if (whole < given.width) {
            const Vector apart = (load(x + whole) - mean) * last;
            squares += apart * apart;
        }
        const float variance = sumOf(squares) * share + given.epsilon;
        const float factor = variance > 0 ? 1 / __builtin_sqrtf(variance) : 0;
        given.means[row] = mean;
        given.factors[row] = factor;
        for (std::int64_t i = 0; i < width; i += kLanes) {
            Vector made = (load(x + i) - mean) * factor;
            if (i >= whole)
                made *= i == whole ? last : all(0);
            if (given.gain)
                made *= load(given.gain + i);
            if (given.bias)
                made += load(given.bias + i);
            store(to + i, made);
        }
    }
}

/// With n = (x − mean)·factor: dx = factor·(d − mean(d) − n·mean(d·n)), where d = gain ⊙ the output
/// gradient (Ba et al. 2016). Without centring, mean(d) is left out.
void normBackwardLoop(const NormRows &given, const NormGradients &gradients) {
    const std::int64_t width = padded(given.width);
    const float share = 1 / static_cast<float>(given.width);
    const std::int64_t whole = given.width / kLanes * kLanes;
    const Vector last = firstLanes(given.width - whole);
    for (std::int64_t row = 0; row < given.rows; ++row) {
        const float *x = given.x + row * given.stride;
        const float *from = gradients.outGradient + row * given.stride;
        float *to = gradients.xGradient + row * given.stride;
        const float mean = given.means[row], factor = given.factors[row];
        Vector sums = all(0), products = all(0);
        for (std::int64_t i = 0; i < width; i += kLanes) {
            Vector flowing = load(from + i); // 0 in the padding
            const Vector normed = (load(x + i) - mean) * factor;
            if (gradients.gain)
                store(gradients.gain + i, load(gradients.gain + i) + flowing * normed);
            if (gradients.bias)
                store(gradients.bias + i, load(gradients.bias + i) + flowing);
            if (given.gain)
                flowing *= load(given.gain + i);
            sums += flowing;
            products += flowing * normed;
        }
        const float meanFlowing = given.centred ? sumOf(sums) * share : 0;
        const float meanProduct = sumOf(products) * share;
        for (std::int64_t i = 0; i < width; i += kLanes) {
            Vector flowing = load(from + i);
            if (given.gain)
                flowing *= load(given.gain + i);
            const Vector normed = (load(x + i) - mean) * factor;
            Vector made = (flowing - meanFlowing - normed * meanProduct) * factor;
            if (i >= whole)
                made *= i == whole ? last : all(0);
            store(to + i, gradients.accumulate == Accumulate::Add ? load(to + i) + made : made);
        }
    }
}

void addLoop(const float *a, const float *b, std::int64_t count, float *out,
             Accumulate accumulate) {
    for (std::int64_t i = 0; i < count; i += kLanes) {
        Vector sum = load(a + i);
        if (b)
            sum += load(b + i);
        store(out + i, accumulate == Accumulate::Add ? load(out + i) + sum : sum);
    }
}

void addRowsLoop(const float *x, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                 float *sums) {
    for (std::int64_t column = 0; column < columns; column += kLanes) {
        Vector sum = load(sums + column);
        for (std::int64_t row = 0; row < rows; ++row)
            sum += load(x + row * stride + column);
        store(sums + column, sum);
    }
}

TargetRow targetLoop(float *logits, std::int64_t count, std::int64_t answer, float share) {
    const std::int64_t whole = count / kLanes * kLanes;
    const std::int64_t rest = count - whole;
    const Vector there = firstLanes(rest);
    const auto lastLogits = [&] { return there != 0 ? load(logits + whole) : all(-kInfinity); };
    Vector largest = rest > 0 ? lastLogits() : all(-kInfinity);
    for (std::int64_t i = 0; i < whole; i += kLanes) {
        const Vector logit = load(logits + i);
        largest = logit > largest ? logit : largest;
    }
    const float shift = largestOf(largest), right = logits[answer];
    Vector sums = all(0);
    for (std::int64_t i = 0; i < whole; i += kLanes) {
        const Vector made = exponential(load(logits + i) - shift);
        store(logits + i, made);
        sums += made;
    }
    if (rest > 0) {
        const Vector made = exponential(lastLogits() - shift);
        store(logits + whole, made);
        sums += made;
    }
    const float sum = sumOf(sums);
    const Vector times = all(share / sum);
    for (std::int64_t i = 0; i < padded(count); i += kLanes)
        store(logits + i, i <= whole ? load(logits + i) * times : all(0));
    logits[answer] -= share;
    return {__builtin_log(static_cast<double>(sum)) + static_cast<double>(shift - right),
            right >= shift};
}

double sumOfSquaresLoop(const float *x, std::int64_t count) {
    Doubles sums = {};
    for (std::int64_t i = 0; i < count; i += kLanes) {
        const Doubles numbers = __builtin_convertvector(load(x + i), Doubles);
        sums += numbers * numbers;
    }
    double sum = 0;
    for (int lane = 0; lane < kLanes; ++lane)
        sum += sums[lane];
    return sum;
}

void adamLoop(const AdamStep &step, const float *gradient, std::int64_t count,
              const ParameterSlices &before, const ParameterSlices &after) {
    for (std::int64_t i = 0; i < count; i += kLanes) {
        const Vector slope = load(gradient + i) * step.factor;
        const Vector m = step.beta1 * load(before.first + i) + (1 - step.beta1) * slope;
        const Vector v = step.beta2 * load(before.second + i) + (1 - step.beta2) * slope * slope;
        store(after.first + i, m);
        store(after.second + i, v);
        store(after.weights + i, load(before.weights + i) * step.decay -
                                     step.rate * m / (squareRoot(v) * step.root + step.epsilon));
    }
}

void momentumLoop(const MomentumStep &step, const float *gradient, std::int64_t count,
                  const ParameterSlices &before, const ParameterSlices &after) {
    for (std::int64_t i = 0; i < count; i += kLanes) {
        const Vector v = step.momentum * load(before.first + i) + load(gradient + i) * step.factor;
        store(after.first + i, v);
        store(after.weights + i, load(before.weights + i) * step.decay - step.rate * v);
    }
}

constexpr TrainingKernels kTrainingKernels{
    smallProduct, transposeLoop, softmaxLoop, softmaxBackwardLoop, normLoop, normBackwardLoop,
    addLoop,      addRowsLoop,   targetLoop,  sumOfSquaresLoop,    adamLoop, momentumLoop};

} // namespace

} // namespace headlight::core
