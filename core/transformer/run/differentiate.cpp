// Differentiates the operations, with one function per operation: computes the gradients of the
// inputs from the gradient of the output.
#include "core/operations/head_state.h"
#include "core/operations/norms.h"
#include "core/operations/query_tuning.h"
#include "core/operations/scores.h"
#include "core/operations/softmax.h"
#include "core/tensor/product.h"
#include "core/transformer/run/differentiate_rows.h"
#include "core/transformer/run/gradient_context.h"
#include "core/transformer/run/operands.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <type_traits>

namespace headlight::core {

namespace {

void addTo(std::span<float> sum, std::span<const float> row) {
    std::ranges::transform(sum, row, sum.begin(), std::plus());
}

/// Adds the sum of all rows to `sum`, accumulated in double.
void addRows(MatrixView rows, std::span<float> sum) {
    std::vector<double> all(sum.size());
    for (Index row = 0; row < rows.rows && !sum.empty(); ++row)
        for (std::size_t column = 0; column < sum.size(); ++column)
            all[column] += static_cast<double>(rows.row(row)[column]);
    for (std::size_t column = 0; column < sum.size(); ++column)
        sum[column] += static_cast<float>(all[column]);
}

/// Adds xᵀ · made to the gradient of weights [in, out], or does nothing if `sum` is empty. If
/// stopped, the contents of `sum` are invalid.
void addWeightGradient(MatrixView x, MatrixView made, MutableMatrixView sum,
                       const std::stop_token &stop) {
    if (!MatrixView(sum).empty())
        addTransposedProduct(x, made, sum, stop);
}

struct Differentiate {
    const GradientContext &chain;

    void operator()(const op::Clone &) const { pass(); }

    void operator()(const op::EmbeddingLookup &) const {
        const MutableMatrixView sum = chain.gradient(0);
        const Vocabulary *vocabulary =
            chain.trace.model().vocabularyOf(chain.step.at.attention.stack);
        if (MatrixView(sum).empty() || !vocabulary)
            return;
        eachToken([&](const Sequence &sequence, std::size_t t, std::span<const float> row) {
            if (sequence.embeddings)
                return;
            if (const auto id = vocabulary->idOf(sequence.tokens[t]))
                addTo(sum.row(*id), row);
        });
    }
    void operator()(const op::AddRows &of) const {
        using Kind = op::AddRows::Kind;
        const MutableMatrixView sum =
            of.kind == Kind::Sinusoids ? MutableMatrixView() : chain.gradient(0);
        if (of.kind == Kind::Positions)
            eachToken([&](const Sequence &, std::size_t t, std::span<const float> row) {
                addTo(sum.row(of.offset + static_cast<Index>(t)), row);
            });
        else if (of.kind == Kind::TokenTypes)
            eachToken([&](const Sequence &sequence, std::size_t t, std::span<const float> row) {
                addTo(sum.row(sequence.tokenTypes.empty() ? 0 : sequence.tokenTypes[t]), row);
            });
        else if (of.kind == Kind::Same)
            addRows(chain.made.rows(), sum.row(0));
        pass();
    }

    void operator()(const op::Normalise &of) const {
        const Tensor x = chain.read(0);
        const MutableMatrixView rows = chain.made.rows();
        const SharedMatrix gain = chain.parameter(0).numbers();
        if (of.kind == NormKind::Layer)
            layerNormBackward(rowsOf(x), rowOf(gain), of.epsilon, rows, rows, chain.rowGradient(0),
                              chain.rowGradient(1));
        else if (of.kind == NormKind::RootMeanSquare)
            rmsNormBackward(rowsOf(x), rowOf(gain), of.epsilon, rows, rows, chain.rowGradient(0));
        else
            batchNorm(of.epsilon, x);
        pass();
    }

    void operator()(const op::Linear &of) const {
        const Tensor x = chain.read(0);
        if (chain.step.parameters[0].split == ParameterSlice::Split::Rows)
            return headOutputs(x);
        Adjoint back = chain.zerosOfRead(0);
        if (of.transposed) {
            multiply(chain.made.rows(), chain.parameter(0), back.rows(), chain.stop);
            addTransposedProduct(chain.made.rows(), rowsOf(x), chain.gradient(0), chain.stop);
            addRows(chain.made.rows(), chain.rowGradient(1));
        } else {
            Adjoint joined;
            if (chain.step.shape.rank() == 4)
                joined = joinHeads(chain.made);
            const MatrixView made = joined.isNull() ? chain.made.rows() : joined.rows();
            multiplyTransposed(made, chain.parameter(0), back.rows(), chain.stop);
            addWeightGradient(rowsOf(x), made, chain.gradient(0), chain.stop);
            addRows(made, chain.rowGradient(1));
        }
        chain.give(0, std::move(back));
    }
    void operator()(const op::ApplyRotary &of) const {
        const RotaryTable &table = chain.tables.rotary(of.turns, chain.step.shape.last(1));
        chain.forEachMatrix(
            [&](Index, Index, MutableMatrixView matrix) { rotateBackward(matrix, table, matrix); });
        pass();
    }

    void operator()(const op::TuneQueries &of) const {
        chain.forEachMatrix([&](Index, Index, MutableMatrixView matrix) {
            tuneQueries(matrix, of.tuning, matrix);
        });
        pass();
    }

    template <OneOf<op::DotProduct, op::WeightedSum> Product>
    void operator()(const Product &) const {
        product(std::is_same_v<Product, op::DotProduct> ? scoresBackward : contextBackward);
    }
    /// These operations are differentiated row by row, as in tiles (differentiate_rows.h).
    template <OneOf<op::Each, op::Mask> OfRows>
    void operator()(const OfRows &of) const {
        rowByRow(of);
    }
    void operator()(const op::DistanceBias &of) const {
        if (!chain.step.parameters.empty())
            chain.forEachMatrix([&](Index, Index h, MutableMatrixView matrix) {
                distanceBiasBackward(of, matrix, chain.gradient(0).columnBlock(h, 1));
            });
    }
    void operator()(const op::DistanceVectors &) const {
        const MutableMatrixView sum = chain.gradient(0);
        eachRow([&](Index row, std::span<float> made) { addTo(sum.row(row), made); });
    }
    void operator()(const op::PickDistances &of) const {
        const Shape &pairs = chain.step.shape;
        const DistanceRows &rows = chain.tables.distances(pairs.last(1), pairs.last(0), of.table);
        Adjoint back = chain.zerosOfRead(0);
        chain.forEachMatrix([&](Index b, Index h, MutableMatrixView made) {
            pickDistancesBackward(of, rows, made, back.matrix(b, h));
        });
        chain.give(0, std::move(back));
    }
    void operator()(const op::Softmax &of) const {
        if (!chain.step.parameters.empty()) {
            const Tensor weights = chain.numbers();
            const MutableMatrixView sinks = chain.gradient(0);
            chain.forEachMatrix([&](Index b, Index h, MutableMatrixView matrix) {
                addSinkGradient(of.temperature, weights.view(b, h), matrix, sinks(0, h));
            });
        }
        rowByRow(of);
    }
    void operator()(const op::SinkWeight &of) const {
        const Tensor scores = chain.read(0);
        const SharedMatrix sinks = chain.parameter(0).numbers();
        const MutableMatrixView sum = chain.gradient(0);
        Adjoint back = chain.zerosOfRead(0);
        chain.forEachMatrix([&](Index b, Index h, MutableMatrixView made) {
            addSinkWeightGradient(of.temperature, sinks(0, h), scores.view(b, h), made,
                                  back.matrix(b, h), sum(0, h));
        });
        chain.give(0, std::move(back));
    }
    void operator()(const op::ConcatHeads &) const {
        chain.give(0, splitHeads(chain.made, chain.readStep(0).heads()));
    }
    void operator()(const op::SplitHeads &) const { chain.give(0, joinHeads(chain.made)); }
    void operator()(const op::JoinColumns &) const {
        Adjoint shared = chain.zerosOfRead(0), own = chain.zerosOfRead(1);
        chain.forEachMatrix([&](Index b, Index h, MutableMatrixView made) {
            const MutableMatrixView first = shared.matrix(b, 0), second = own.matrix(b, h);
            for (Index row = 0; row < made.rows; ++row) {
                const std::span<const float> both = made.row(row);
                addTo(first.row(row), both.first(first.row(row).size()));
                addTo(second.row(row), both.subspan(first.row(row).size()));
            }
        });
        chain.give(0, std::move(shared));
        chain.give(1, std::move(own));
    }

    void operator()(const op::JoinNeighbours &of) const {
        std::vector<Adjoint> back;
        for (std::size_t which = 0; which < chain.step.reads.size(); ++which)
            back.push_back(chain.zerosOfRead(which));
        chain.forEachMatrix([&](Index b, Index h, MutableMatrixView made) {
            Index before = 0;
            for (const op::JoinNeighbours::Part &part : of.parts) {
                const MutableMatrixView to =
                    back[part.which].matrix(b, h).columnBlock(part.first, part.columns);
                const MutableMatrixView own = made.columnBlock(before, part.columns);
                for (Index row = 0; row < own.rows; ++row)
                    if (const Index from = row + part.shift; from >= 0 && from < to.rows)
                        addTo(to.row(from), own.row(row));
                before += part.columns;
            }
        });
        for (std::size_t which = 0; which < back.size(); ++which)
            chain.give(which, std::move(back[which]));
    }

    void operator()(const op::Add &) const {
        const bool isForAll = chain.readStep(1).shape[0] < chain.step.shape[0];
        if (isForAll) {
            Adjoint sum = chain.zerosOfRead(1);
            chain.forEachMatrix([&](Index, Index h, MutableMatrixView matrix) {
                const MutableMatrixView to = sum.matrix(0, h);
                for (Index row = 0; row < matrix.rows; ++row)
                    addTo(to.row(row), matrix.row(row));
            });
            chain.give(1, std::move(sum));
        } else {
            chain.give(1, {chain.made.shape, chain.made.values});
        }
        pass();
    }
    void operator()(const op::Gate &of) const {
        const Tensor gates = chain.read(0), hidden = chain.read(1);
        Adjoint toGate = chain.zerosOfRead(0), toHidden = chain.zerosOfRead(1);
        eachRow([&](Index row, std::span<float> adjoint) {
            activateGatedBackward(rowsOf(gates).row(row), rowsOf(hidden).row(row), of.activation,
                                  adjoint, toGate.rows().row(row), toHidden.rows().row(row));
        });
        chain.give(0, std::move(toGate));
        chain.give(1, std::move(toHidden));
    }
    void operator()(const op::Pool &of) const {
        Adjoint back = chain.zerosOfRead(0);
        eachRow([&](Index b, std::span<float> adjoint) {
            const MutableMatrixView x = back.matrix(b); // zeros
            const Index begin = of.begin(b);
            poolBackward(adjoint, chain.batch()[b].length - begin, of.pooling,
                         x.rowBlock(begin, x.rows - begin));
        });
        chain.give(0, std::move(back));
    }
    /// backward() rejects models with experts. No other model has these operations, or gates with a
    /// limit.
    template <
        OneOf<op::KeepLargest, op::ScaleForExperts, op::ExpertLinear, op::MixExperts> OfExperts>
    void operator()(const OfExperts &) const {}
    /// These operations have no input with a gradient, or occur only as changes.
    template <OneOf<op::Captured, op::SetCells, op::Replace> Other>
    void operator()(const Other &) const {}

  private:
    void rowByRow(const Operation &operation) const {
        const NumbersNeeded needed = numbersNeeded(operation);
        const Tensor numbers = needed == NumbersNeeded::Made   ? chain.numbers()
                               : needed == NumbersNeeded::Read ? chain.read(0)
                                                               : Tensor();
        chain.forEachMatrix([&](Index b, Index h, MutableMatrixView matrix) {
            differentiateRows(operation,
                              {chain.trace, chain.step, b, h, 0,
                               numbers.isNull() ? MatrixView() : numbers.view(b, h), chain.stop},
                              matrix);
        });
        pass();
    }
    /// Passes the current gradient on to the first input.
    void pass() const { chain.give(0, std::move(chain.made)); }

    /// Calls `work` for every row of every matrix.
    template <typename Work>
    void eachRow(Work work) const {
        const MutableMatrixView rows = chain.made.rows();
        for (Index row = 0; row < rows.rows && !chain.stopped(); ++row)
            work(row, rows.row(row));
    }
    /// Calls `work` for every token, with the sequence, the token and its gradient.
    template <typename Work>
    void eachToken(Work work) const {
        for (Index b = 0; b < chain.step.sequences() && !chain.stopped(); ++b) {
            const MutableMatrixView rows = chain.made.matrix(b);
            for (Index t = 0; t < rows.rows; ++t)
                work(chain.batch()[b], static_cast<std::size_t>(t), rows.row(t));
        }
    }

    /// Differentiates a product of two stages, matrix by matrix. A group of heads or all sequences
    /// may share a matrix of the second stage.
    template <typename Backward>
    void product(Backward backward) const {
        const Tensor left = chain.read(0), right = chain.read(1);
        Adjoint toLeft = chain.zerosOfRead(0), toRight = chain.zerosOfRead(1);
        chain.forEachMatrix([&](Index b, Index h, MutableMatrixView made) {
            const Index group = headRead(h, chain.step.heads(), chain.readStep(1).heads());
            const Index other = chain.readStep(1).shape[0] == 1 ? 0 : b;
            backward(left.view(b, h), right.view(other, group), made, toLeft.matrix(b, h),
                     toRight.matrix(other, group), chain.stop);
        });
        chain.give(0, std::move(toLeft));
        chain.give(1, std::move(toRight));
    }

    /// Differentiates the product of each head's context and its rows of W_O.
    void headOutputs(const Tensor &context) const {
        Adjoint back = chain.zerosOfRead(0);
        const Index heads = chain.step.heads();
        chain.forEachMatrix([&](Index b, Index h, MutableMatrixView made) {
            const StepParameter rows(chain.trace.model().parameters, chain.step.parameters[0],
                                     heads, h);
            multiplyTransposed(made, rows, back.matrix(b, h), chain.stop);
            addWeightGradient(context.view(b, h), made,
                              chain.gradients.of(chain.step.parameters[0], heads, h), chain.stop);
        });
        chain.give(0, std::move(back));
    }

    void batchNorm(float epsilon, const Tensor &x) const {
        std::vector<MatrixView> in, arriving;
        std::vector<MutableMatrixView> back;
        std::vector<Index> lengths;
        for (Index b = 0; b < chain.step.sequences(); ++b) {
            in.push_back(x.view(b));
            back.push_back(chain.made.matrix(b));
            arriving.emplace_back(back.back());
            lengths.push_back(chain.batch()[b].length);
        }
        const SharedMatrix gain = chain.parameter(0).numbers();
        batchNormBackward(in, lengths, rowOf(gain), epsilon, arriving, back, chain.rowGradient(0),
                          chain.rowGradient(1));
    }
};

} // namespace

void differentiateChange(const Change &change, const GradientContext &chain) {
    for (Index b = 0; b < chain.step.sequences(); ++b)
        if (change.sequence.value_or(b) == b)
            differentiateRows(change, {chain.trace, chain.step, b, change.head, 0, {}, chain.stop},
                              chain.made.matrix(b, change.head));
}

void differentiate(const Operation &operation, const GradientContext &chain) {
    std::visit(Differentiate{chain}, operation);
}

} // namespace headlight::core
