#include "core/training/optimizer/optimizer.h"

#include "core/tensor/in_parallel.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

constexpr Index kPieceNumbers = 1 << 15;

/// Minimum number of parameters for which waking another thread is worthwhile.
constexpr Index kWorthSharing = 4 * kPieceNumbers;

} // namespace

OptimizerStepValues updateNumbers(const OptimizerSettings &settings, Index step, Index steps,
                                  double length) {
    OptimizerStepValues numbers;
    numbers.rate = learningRateAt(settings, step, steps);
    const double limit = static_cast<double>(settings.clip);
    if (limit > 0 && length > limit)
        numbers.clipFactor = limit / length;
    numbers.decay = 1 - numbers.rate * static_cast<double>(settings.weightDecay);
    return numbers;
}

Optimizer::Optimizer(const OptimizerSettings &settings, const FlatParameters &parameters)
    : m_settings(settings), m_size(parameters.size()) {
    for (const FlatParameter &parameter : parameters.all())
        for (Index begin = 0; begin < parameter.size(); begin += kPieceNumbers)
            m_pieces.push_back({parameter.offset + begin,
                                std::min(kPieceNumbers, parameter.size() - begin),
                                parameter.decays});
    m_sums.resize(m_pieces.size());
}

template <typename Work>
void Optimizer::forEachPiece(Work work) const {
    if (m_size < kWorthSharing) {
        for (const Piece &piece : m_pieces)
            work(piece);
        return;
    }
    inParallel(static_cast<Index>(m_pieces.size()),
               [&](Index i, Index) { work(m_pieces[static_cast<std::size_t>(i)]); });
}

double Optimizer::lengthOf(const float *numbers) {
    forEachPiece([&](const Piece &piece) {
        m_sums[static_cast<std::size_t>(&piece - m_pieces.data())] =
            fastestKernels().training.sumOfSquares(numbers + piece.offset, piece.count);
    });
    double sum = 0;
    for (const double part : m_sums)
        sum += part;
    return std::sqrt(sum);
}

void Optimizer::advance(Index step, const OptimizerStepValues &numbers, const float *gradient,
                        const ParameterSlices &before, const ParameterSlices &after,
                        const std::stop_token &stop) const {
    const auto power = [count = static_cast<double>(step + 1)](float base) {
        return std::pow(static_cast<double>(base), count);
    };
    forEachPiece([&](const Piece &piece) {
        if (stop.stop_requested())
            return;
        const auto at = [&piece](const ParameterSlices &learned) {
            return ParameterSlices{learned.weights + piece.offset, learned.first + piece.offset,
                                   learned.second ? learned.second + piece.offset : nullptr};
        };
        const float decay = piece.decays ? static_cast<float>(numbers.decay) : 1;
        const float factor = static_cast<float>(numbers.clipFactor);
        if (m_settings.kind == OptimizerKind::Sgd) {
            const MomentumStep sgd{m_settings.momentum, static_cast<float>(numbers.rate), decay,
                                   factor};
            fastestKernels().training.momentum(sgd, gradient + piece.offset, piece.count,
                                               at(before), at(after));
            return;
        }
        const AdamStep adam{m_settings.beta1,
                            m_settings.beta2,
                            static_cast<float>(numbers.rate / (1 - power(m_settings.beta1))),
                            static_cast<float>(1 / std::sqrt(1 - power(m_settings.beta2))),
                            m_settings.epsilon,
                            decay,
                            factor};
        fastestKernels().training.adam(adam, gradient + piece.offset, piece.count, at(before),
                                       at(after));
    });
}

} // namespace headlight::core
