#include "core/transformer/run/differentiate_rows.h"

#include "core/operations/head_state.h"
#include "core/operations/softmax.h"

#include <algorithm>
#include <limits>

namespace headlight::core {

namespace {

struct BackThrough {
    const RowGradientContext &chain;
    MutableMatrixView gradient;

    void operator()(const op::Each &of) const {
        eachRow([&](Index at, std::span<float> row) {
            const bool needs = numbersNeeded(of.function) != NumbersNeeded::None;
            eachBackward(of.function, needs ? chain.numbers.row(at) : std::span<const float>(),
                         row);
        });
    }
    void operator()(const op::Mask &) const {
        maskBackward(gradient, chain.trace.mask(chain.sequence, chain.step.at.attention), gradient,
                     chain.first);
    }
    void operator()(const op::Softmax &of) const {
        eachRow([&](Index at, std::span<float> row) {
            const auto numbers = chain.numbers.row(at);
            if (of.normalises)
                return softmaxBackward(numbers, row, of.temperature, row);
            std::ranges::transform(numbers, row, row.begin(), [&](float score, float arriving) {
                // Hidden scores always have attention weight 0, so they have no gradient.
                return score == -std::numeric_limits<float>::infinity() ? 0
                                                                        : arriving / of.temperature;
            });
        });
    }
    void operator()(const op::Add &) const {}

    // SetCells is used only as a change.
    void operator()(const op::SetCells &of) const {
        for (const op::SetCells::Cell &cell : of.cells)
            if (const Index row = cell.row - chain.first;
                row >= 0 && row < gradient.rows && cell.column < gradient.columns)
                gradient(row, cell.column) = 0;
    }
    void operator()(const op::Replace &of) const {
        if (of.by != op::Replace::By::Mean)
            return eachRow([](Index, std::span<float> row) { std::ranges::fill(row, 0.0f); });
        meanBackward(gradient, // gradient of a complete context
                     chain.trace.input().of(chain.step.at.attention.stack)[chain.sequence].length,
                     gradient);
    }

    template <typename Other>
    void operator()(const Other &) const {
        assert(false);
    }

  private:
    template <typename Work>
    void eachRow(Work work) const {
        for (Index row = 0; row < gradient.rows && !chain.stop.stop_requested(); ++row)
            work(row, gradient.row(row));
    }
};

} // namespace

NumbersNeeded numbersNeeded(const Operation &operation) {
    if (const auto *each = std::get_if<op::Each>(&operation))
        return numbersNeeded(each->function);
    if (const auto *softmax = std::get_if<op::Softmax>(&operation))
        return softmax->normalises ? NumbersNeeded::Made : NumbersNeeded::Read;
    return NumbersNeeded::None;
}

void differentiateRows(const Operation &operation, const RowGradientContext &chain,
                       MutableMatrixView gradient) {
    std::visit(BackThrough{chain, gradient}, operation);
}

void addSinkGradient(float temperature, MatrixView weights, MatrixView gradient, float &sum) {
    double added = 0;
    for (Index row = 0; row < gradient.rows; ++row)
        added += sinkGradient(weights.row(row), gradient.row(row), temperature);
    sum += static_cast<float>(added);
}

void addSinkWeightGradient(float temperature, float sink, MatrixView scores, MatrixView gradient,
                           MutableMatrixView ofScores, float &ofSink) {
    double added = 0;
    for (Index row = 0; row < gradient.rows; ++row)
        added += sinkWeightBackward(scores.row(row), temperature, sink, gradient(row, 0),
                                    ofScores.row(row));
    ofSink += static_cast<float>(added);
}

void differentiateRows(const Change &change, const RowGradientContext &chain,
                       MutableMatrixView gradient) {
    if (change.head == chain.head && change.sequence.value_or(chain.sequence) == chain.sequence)
        std::visit(BackThrough{chain, gradient}, change.operation);
}

} // namespace headlight::core
