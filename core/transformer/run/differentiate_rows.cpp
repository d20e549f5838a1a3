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

    void operator()(const op::Scale &of) const {
        eachRow([&](Index, std::span<float> row) {
            for (float &number : row)
                number *= of.factor;
        });
    }
    void operator()(const op::Softcap &of) const {
        eachRow([&](Index at, std::span<float> row) {
            std::ranges::transform(chain.numbers.row(at), row, row.begin(),
                                   [limit = of.limit](float y, float arriving) {
                                       return arriving * (1 - (y / limit) * (y / limit));
                                   });
        });
    }
    void operator()(const op::Mask &) const {
        maskBackward(gradient, chain.trace.mask(chain.sequence, chain.step.at.attention), gradient,
                     chain.first);
    }
    void operator()(const op::Softmax &of) const {
        eachRow([&](Index at, std::span<float> row) {
            softmaxBackward(chain.numbers.row(at), row, of.temperature, row);
        });
    }
    void operator()(const op::NoSoftmax &of) const {
        eachRow([&](Index at, std::span<float> row) {
            std::ranges::transform(chain.numbers.row(at), row, row.begin(),
                                   [&](float score, float arriving) {
                                       // A hidden score has attention weight 0, whatever its value.
                                       return score == -std::numeric_limits<float>::infinity()
                                                  ? 0
                                                  : arriving / of.temperature;
                                   });
        });
    }
    void operator()(const op::Add &) const {}

    // Used as changes only.
    void operator()(const op::SetCells &of) const {
        for (const op::SetCells::Cell &cell : of.cells)
            if (const Index row = cell.row - chain.first;
                row >= 0 && row < gradient.rows && cell.column < gradient.columns)
                gradient(row, cell.column) = 0;
    }
    void operator()(const op::MeanRows &) const { // applies to a whole context only
        meanBackward(gradient,
                     chain.trace.input().of(chain.step.at.attention.stack)[chain.sequence].length,
                     gradient);
    }
    void operator()(const op::Zero &) const { clear(); }
    void operator()(const op::UniformWeights &) const { clear(); }

    template <typename Other>
    void operator()(const Other &) const {
        assert(false);
    }

  private:
    void clear() const {
        eachRow([](Index, std::span<float> row) { std::ranges::fill(row, 0.0f); });
    }
    template <typename Work>
    void eachRow(Work work) const {
        for (Index row = 0; row < gradient.rows && !chain.stop.stop_requested(); ++row)
            work(row, gradient.row(row));
    }
};

} // namespace

NumbersNeeded numbersNeeded(const Operation &operation) {
    if (std::holds_alternative<op::Softmax>(operation) ||
        std::holds_alternative<op::Softcap>(operation))
        return NumbersNeeded::Made;
    return std::holds_alternative<op::NoSoftmax>(operation) ? NumbersNeeded::Read
                                                            : NumbersNeeded::None;
}

void differentiateRows(const Operation &operation, const RowGradientContext &chain,
                       MutableMatrixView gradient) {
    std::visit(BackThrough{chain, gradient}, operation);
}

void differentiateRows(const Change &change, const RowGradientContext &chain,
                       MutableMatrixView gradient) {
    if (change.head == chain.head && change.sequence.value_or(chain.sequence) == chain.sequence)
        std::visit(BackThrough{chain, gradient}, change.operation);
}

} // namespace headlight::core
