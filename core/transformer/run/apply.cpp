// Computes the operations of the forward pass, with one function per operation.
#include "core/operations/experts.h"
#include "core/operations/head_state.h"
#include "core/operations/norms.h"
#include "core/operations/query_tuning.h"
#include "core/operations/softmax.h"
#include "core/tensor/product.h"
#include "core/transformer/run/each.h"
#include "core/transformer/run/operands.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace headlight::core {

namespace {

/// out = work(x) for each element.
template <typename Work>
void eachNumber(const Operands &in, MutableMatrixView out, Work work) {
    const MatrixView x = in.read(0).columnBlock(0, out.columns);
    for (Index row = 0; row < out.rows && !in.stopped(); ++row)
        std::ranges::transform(x.row(row), out.row(row).begin(), work);
}

void addRow(std::span<const float> x, std::span<const float> y, std::span<float> out) {
    std::ranges::transform(x, y, out.begin(), std::plus());
}

struct Apply {
    const Operands &in;
    MutableMatrixView out;

    void operator()(const op::Captured &) const {}
    void operator()(const op::Clone &) const { eachNumber(in, out, std::identity()); }

    void operator()(const op::EmbeddingLookup &) const {
        const Sequence &sequence = in.batch()[in.sequence];
        const StepParameter matrix = in.parameter(0);
        const StepParameter embeddings(sequence.embeddings, in.step.parameters[0].id);
        const Vocabulary *vocabulary = in.model.vocabularyOf(in.step.at.attention.stack);
        for (Index t = 0; t < out.rows && !in.stopped(); ++t) {
            const Token &token = sequence[first() + t];
            if (sequence.embeddings)
                embeddings.copyRow(first() + t, out.row(t));
            else if (!matrix.empty()) // Computable ensures that all tokens have a row
                matrix.copyRow(*vocabulary->idOf(token), out.row(t));
            else
                std::ranges::copy(in.model.embeddings->vectorOf(token.text), out.row(t).begin());
        }
    }
    void operator()(const op::AddRows &of) const {
        const MatrixView x = in.read(0);
        const bool isLearned = of.kind != op::AddRows::Kind::Sinusoids;
        // The learned rows of the needed positions, or of all token types.
        const SharedMatrix learned = !isLearned ? SharedMatrix()
                                     : of.kind == op::AddRows::Kind::Positions
                                         ? in.parameter(0).rows(of.offset + first(), out.rows)
                                         : in.parameter(0).numbers();
        const MatrixView rows = isLearned
                                    ? MatrixView(learned)
                                    : in.tables.sinusoids(length(), out.columns, of.order).view();
        for (Index t = 0; t < out.rows; ++t)
            addRow(x.row(t), rows.row(rowAdded(of, t)), out.row(t));
    }

    void operator()(const op::Normalise &of) const {
        const SharedMatrix gain = in.parameter(0).numbers(), bias = in.parameter(1).numbers();
        if (of.kind == NormKind::Layer)
            layerNorm(in.read(0), rowOf(gain), rowOf(bias), of.epsilon, out);
        else
            rmsNorm(in.read(0), rowOf(gain), of.epsilon, out);
    }
    void operator()(const op::Linear &of) const {
        if (of.transposed)
            multiplyTransposed(in.read(0), in.parameter(0), out, in.stop);
        else
            multiply(in.read(0), in.parameter(0), out, in.stop);
        // The output of a single head has no bias, because the bias belongs to the sum of all
        // heads.
        const SharedMatrix bias = in.parameter(1).numbers();
        for (Index t = 0; t < out.rows && !bias.empty(); ++t)
            addRow(out.row(t), bias.row(0), out.row(t));
    }
    void operator()(const op::ApplyRotary &of) const {
        rotate(in.read(0), in.tables.rotary(of.turns, length()), out, first());
    }

    void operator()(const op::TuneQueries &of) const {
        tuneQueries(in.read(0), of.tuning, out, first());
    }

    void operator()(const op::DotProduct &) const {
        multiplyTransposed(in.read(0), in.read(1).rowBlock(0, out.columns), out, in.stop);
    }
    void operator()(const op::Each &of) const {
        const MatrixView x = in.read(0).columnBlock(0, out.columns);
        for (Index row = 0; row < out.rows && !in.stopped(); ++row)
            applyEach(of.function, x.row(row), out.row(row));
    }
    void operator()(const op::DistanceBias &of) const {
        const SharedMatrix column =
            in.step.parameters.empty() ? SharedMatrix() : in.parameter(0).numbers();
        distanceBias(of, in.head, column, out, first());
    }
    void operator()(const op::DistanceVectors &) const {
        const StepParameter rows = in.parameter(0);
        for (Index row = 0; row < out.rows; ++row)
            rows.copyRow(first() + row, out.row(row));
    }
    void operator()(const op::PickDistances &of) const {
        const Shape &pairs = in.step.shape;
        pickDistances(of, in.tables.distances(pairs.last(1), pairs.last(0), of.table), in.read(0),
                      out, first());
    }
    void operator()(const op::Mask &of) const {
        const MutableMatrixView seen = withoutHidden(in.read(0), of.value);
        applyMask(in.read(0).columnBlock(0, seen.columns), in.mask(), of.value, seen, in.stop,
                  first());
    }
    void operator()(const op::Softmax &of) const {
        const MutableMatrixView seen = withoutHidden(in.read(0), 0);
        const MatrixView x = in.read(0).columnBlock(0, seen.columns);
        const auto divided = [temperature = of.temperature](float score) {
            return score == -std::numeric_limits<float>::infinity() ? 0 : score / temperature;
        };
        float sink = kNoSink;
        if (!in.step.parameters.empty()) {
            const SharedMatrix numbers = in.parameter(0).numbers();
            sink = numbers.row(0)[0];
        }
        for (Index row = 0; row < out.rows && !in.stopped(); ++row)
            if (of.normalises)
                softmax(x.row(row), of.temperature, seen.row(row), sink);
            else
                std::ranges::transform(x.row(row), seen.row(row).begin(), divided);
    }
    void operator()(const op::SinkWeight &of) const {
        const MatrixView x = in.read(0);
        const SharedMatrix sink = in.parameter(0).numbers();
        for (Index row = 0; row < out.rows && !in.stopped(); ++row)
            out.row(row)[0] = sinkWeight(x.row(row), of.temperature, sink.row(0)[0]);
    }
    void operator()(const op::WeightedSum &) const {
        const MatrixView weights = in.read(0);
        multiply(weights, in.read(1).rowBlock(0, weights.columns), out, in.stop);
    }
    void operator()(const op::ConcatHeads &) const {
        const Index heads = in.plan[in.step.reads[0]].heads();
        const Index size = out.columns / heads;
        for (Index head = 0; head < heads; ++head) {
            const MatrixView x = in.readHead(0, in.sequence, head);
            const MutableMatrixView place = out.columnBlock(head * size, size);
            for (Index t = 0; t < x.rows; ++t)
                std::ranges::copy(x.row(t), place.row(t).begin());
        }
    }
    void operator()(const op::SplitHeads &) const {
        const MatrixView share = in.read(0).columnBlock(in.head * out.columns, out.columns);
        for (Index t = 0; t < out.rows; ++t)
            std::ranges::copy(share.row(t), out.row(t).begin());
    }

    void operator()(const op::JoinColumns &) const {
        Index before = 0;
        for (const std::size_t which : {std::size_t(0), std::size_t(1)}) {
            const MatrixView x = in.read(which);
            for (Index row = 0; row < out.rows; ++row)
                std::ranges::copy(x.row(row), out.columnBlock(before, x.columns).row(row).begin());
            before += x.columns;
        }
    }

    void operator()(const op::JoinNeighbours &of) const {
        Index before = 0;
        for (const op::JoinNeighbours::Part &part : of.parts) {
            const MatrixView x = in.read(part.which).columnBlock(part.first, part.columns);
            const MutableMatrixView own = out.columnBlock(before, part.columns);
            for (Index row = 0; row < out.rows && !in.stopped(); ++row) {
                const Index from = first() + row + part.shift;
                if (from >= 0 && from < x.rows)
                    std::ranges::copy(x.row(from), own.row(row).begin());
                else
                    std::ranges::fill(own.row(row), 0.0f);
            }
            before += part.columns;
        }
    }

    void operator()(const op::Add &) const {
        const MatrixView x = in.read(0).columnBlock(0, out.columns);
        const MatrixView y = in.read(1).columnBlock(0, out.columns);
        for (Index row = 0; row < out.rows && !in.stopped(); ++row)
            addRow(x.row(row), y.row(row), out.row(row));
    }
    void operator()(const op::Gate &of) const {
        const MatrixView gate = in.read(0), hidden = in.read(1);
        for (Index row = 0; row < out.rows && !in.stopped(); ++row)
            if (of.isLimited())
                activateGated(gate.row(row), hidden.row(row), of.activation, of.limit, of.offset,
                              out.row(row));
            else
                activateGated(gate.row(row), hidden.row(row), of.activation, out.row(row));
    }
    void operator()(const op::KeepLargest &of) const {
        const MatrixView x = in.read(0);
        const MatrixView scores = in.step.reads.size() > 1 ? in.read(1) : x;
        for (Index row = 0; row < out.rows && !in.stopped(); ++row)
            keepLargest(of, x.row(row), scores.row(row), out.row(row));
    }
    void operator()(const op::ExpertLinear &of) const {
        const MatrixView x = in.read(0), weights = in.read(1);
        const StepParameter matrix = in.parameter(0);
        const SharedMatrix bias = in.parameter(1).numbers();
        const Index size = out.columns / weights.columns;
        const Index depth = of.readsOwnColumns ? x.columns / weights.columns : x.columns;
        for (Index expert = 0; expert < weights.columns && !in.stopped(); ++expert) {
            const Index first = expert * size;
            const MutableMatrixView own = out.columnBlock(first, size);
            const MatrixView read = x.columnBlock(of.readsOwnColumns ? expert * depth : 0, depth);
            const ChosenRows rows(weights, expert);
            const Matrix gathered = rows.gathered(read);
            Matrix made(rows.count(), size);
            if (!rows.empty()) // do not read experts that no token has chosen
                multiply(gathered.view(), matrix.columnBlock(first, size), made.view(), in.stop);
            for (Index row = 0; row < rows.count() && !bias.empty(); ++row)
                addRow(made.view().row(row),
                       bias.row(0).subspan(static_cast<std::size_t>(first),
                                           static_cast<std::size_t>(size)),
                       made.view().row(row));
            rows.scatter(made.view(), own);
        }
    }
    void operator()(const op::ScaleForExperts &) const {
        const MatrixView x = in.read(0), weights = in.read(1);
        for (Index row = 0; row < out.rows && !in.stopped(); ++row)
            scaleForExperts(x.row(row), weights.row(row), out.row(row));
    }
    void operator()(const op::MixExperts &of) const {
        const MatrixView outputs = in.read(0), weights = in.read(1);
        for (Index row = 0; row < out.rows && !in.stopped(); ++row)
            if (of.isWeighted)
                mixExperts(outputs.row(row), weights.row(row), out.row(row));
            else
                addExperts(outputs.row(row), weights.row(row), out.row(row));
    }
    void operator()(const op::Pool &of) const {
        for (Index b = 0; b < out.rows; ++b) {
            const MatrixView x = in.read(0, b);
            const Index begin = of.begin(b);
            pool(x.rowBlock(begin, x.rows - begin), in.batch()[b].length - begin, of.pooling,
                 out.row(b));
        }
    }
    void operator()(const op::SetCells &of) const {
        for (const op::SetCells::Cell &cell : of.cells)
            if (cell.row >= first() && cell.row < first() + out.rows && cell.column < out.columns)
                out(cell.row - first(), cell.column) = cell.value;
    }
    void operator()(const op::Replace &of) const {
        switch (of.by) {
        case op::Replace::By::Uniform:
            return uniformWeights(in.mask(), out, first());
        case op::Replace::By::Zero:
            for (Index row = 0; row < out.rows; ++row)
                std::ranges::fill(out.row(row), 0.0f);
            return;
        case op::Replace::By::Mean:
            return replaceByMean(out, in.batch()[in.sequence].length);
        }
    }

  private:
    /// Returns the index of the row that is added to row t of `out`, in the sinusoids of all
    /// positions or in the learned rows that were read.
    Index rowAdded(const op::AddRows &of, Index t) const {
        switch (of.kind) {
        case op::AddRows::Kind::Sinusoids:
            return first() + t;
        case op::AddRows::Kind::Positions:
            return t;
        case op::AddRows::Kind::Same:
            return 0;
        case op::AddRows::Kind::TokenTypes:
            break;
        }
        const std::vector<Index> &types = in.batch()[in.sequence].tokenTypes;
        return types.empty() ? 0 : types[static_cast<std::size_t>(first() + t)];
    }
    /// Returns the row of the matrix that corresponds to the first row of `out`.
    Index first() const { return in.rows.first; }
    /// Returns T, the number of rows of the matrix.
    Index length() const { return in.step.shape.last(1); }
    /// Returns the columns of `out` that x has, and fills the other columns with `hidden`. x lacks
    /// the columns that no query can see.
    MutableMatrixView withoutHidden(MatrixView x, float hidden) const {
        const Index seen = std::min(x.columns, out.columns);
        for (Index row = 0; row < out.rows && seen < out.columns; ++row)
            std::ranges::fill(out.row(row).subspan(static_cast<std::size_t>(seen)), hidden);
        return out.columnBlock(0, seen);
    }
};

} // namespace

void apply(const Operation &operation, const Operands &operands, MutableMatrixView out) {
    std::visit(Apply{operands, out}, operation);
}

void applyToAll(const Operation &operation, const Operands &operands,
                std::span<const MutableMatrixView> out) {
    const auto &norm = std::get<op::Normalise>(operation);
    std::vector<MatrixView> in;
    std::vector<Index> lengths;
    for (Index b = 0; b < static_cast<Index>(out.size()); ++b) {
        in.push_back(operands.read(0, b));
        lengths.push_back(operands.batch()[b].length);
    }
    const SharedMatrix gain = operands.parameter(0).numbers();
    const SharedMatrix bias = operands.parameter(1).numbers();
    batchNorm(in, lengths, rowOf(gain), rowOf(bias), norm.epsilon, out);
}

} // namespace headlight::core
