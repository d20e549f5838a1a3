// Implements the chain rule, with one function for each operation.
#include "core/explain/backward_meaning.h"

#include "core/explain/meaning_of_step.h"
#include "core/operations/distance_table.h"
#include "core/operations/query_tuning.h"

#include <algorithm>

namespace headlight::core {

namespace {

using Kind = Expression::Kind;
using When = Expression::When;
using RowsOf = Expression::RowsOf;
using Q = Quantity;
using Beside = Remark::Beside;

class BackwardMaker : private MeaningOfStep {
  public:
    BackwardMaker(const Trace &trace, const Reader &reader, const Slice &number)
        : MeaningOfStep(trace, reader.sequence, reader.step, reader.head),
          m_which(reader.which),
          m_number(number),
          m_change(changeOfStep()) {}

    std::optional<Meaning> make() {
        const bool isReplaced = m_change && replaces(*m_change);
        m_meaning.by = isReplaced ? m_change : &m_step.operation;
        std::visit(*this, *m_meaning.by);
        if (m_change && !isReplaced)
            remark(Beside::Formula, std::holds_alternative<op::SetCells>(*m_change)
                                        ? Note::ScoresSetByHand
                                        : Note::OverRealTokens);
        return m_isMade ? std::optional(std::move(m_meaning)) : std::nullopt;
    }

    /// Passes the gradient on unchanged.
    template <OneOf<op::Clone, op::AddRows, op::Add> Same>
    void operator()(const Same &) {
        is(gradient());
    }
    /// The inputs of these operations get no gradient. Gradients through experts are not supported,
    /// and no loss depends on the weight of a sink.
    template <OneOf<op::Captured, op::EmbeddingLookup, op::DistanceBias, op::DistanceVectors,
                    op::SetCells, op::SinkWeight, op::KeepLargest, op::ScaleForExperts,
                    op::ExpertLinear, op::MixExperts>
                  Other>
    void operator()(const Other &) {
        m_isMade = false;
    }

    /// With h = g · γ, the gradient of the input is (h − mean(h) − x̂ · mean(h · x̂)) ÷ σ, because
    /// the norm removes the mean and the length. Ioffe and Szegedy (2015), Ba et al. (2016), Zhang
    /// and Sennrich (2019).
    void operator()(const op::Normalise &of) {
        NormStatistics norm = statisticsOf(of.kind, of.epsilon);
        norm.deviation.text = "σ";
        const auto scaled = [this](Expression g) {
            const Coordinate column = g.column;
            return parameter(0).empty() ? g : std::move(g) * parameter(0, fixed(0), column);
        };
        const auto normed = [&](const Expression &x) {
            return named(Q::Normalised, norm.centred(x) / norm.deviation, "x̂");
        };
        // A batch norm also normalises padding, so padding rows have gradients too.
        const Index all = norm.isOfBatch() ? batch().count() * batch().length() : norm.count;
        const auto mean = [&](Quantity name, Expression each) {
            return named(name, over(Kind::Sum, std::move(each), all) / number(asDouble(norm.count)),
                         "mean");
        };
        const Expression h = scaled(norm.along(gradient(), RowsOf::AllTokens));
        const Expression others = norm.along(read(0), RowsOf::AllTokens);
        Expression back = scaled(gradient());
        if (!norm.isOfBatch() || !isPadding()) { // padding does not affect the statistics
            if (norm.centres())
                back = std::move(back) - mean(Q::MeanGradient, h);
            back = std::move(back) - normed(read(0)) * mean(Q::MeanAlong, h * normed(others));
        }
        is(std::move(back) / norm.deviation);
        m_meaning.inSymbols = gradient();
        remark(Beside::Formula, Note::ThroughNorm);
    }

    void operator()(const op::Linear &of) {
        is(over(Kind::Sum,
                gradient(kRow, kSummed) * (of.transposed ? parameter(0, kSummed, kColumn)
                                                         : parameter(0, kColumn, kSummed)),
                m_step.shape.last(0)));
    }

    /// Rotates the gradient back by the same angle.
    void operator()(const op::ApplyRotary &of) {
        m_meaning.inSymbols = gradient();
        remark(Beside::Formula, Note::TurnedBack);
        is(gradient());
        const Index pairs = std::ssize(of.turns.frequencies);
        const Index column = m_number.column.value_or(2 * pairs);
        if (column >= 2 * pairs)
            return;
        const Index partner = (column + pairs) % (2 * pairs), pair = column % pairs;
        const Expression own = gradient() * turning(of.turns, pair, &RotaryTable::cosine);
        const Expression other =
            gradient(kRow, fixed(partner)) * turning(of.turns, pair, &RotaryTable::sine);
        is(column < partner ? own + other : own - other);
    }

    void operator()(const op::TuneQueries &of) {
        m_meaning.inSymbols = gradient() * symbol("τ", Role::Scores);
        remark(Beside::Formula, Note::TunedByPositions,
               {fullText(of.tuning.strength), std::to_string(of.tuning.length)});
        is(gradient());
        if (m_number.row)
            is(gradient() * number(static_cast<double>(tuningFactor(of.tuning, *m_number.row))));
    }

    /// G · K is the gradient of Q, and Gᵀ · Q is the gradient of K.
    void operator()(const op::DotProduct &) {
        is(m_which == 0 ? over(Kind::Sum, gradient(kRow, kSummed) * read(1, kSummed, kColumn),
                               m_step.shape.last(0))
                        : over(Kind::Sum, gradient(kSummed, kRow) * read(0, kSummed, kColumn),
                               m_step.shape.last(1)));
    }
    /// G · Vᵀ is the gradient of A, and Aᵀ · G is the gradient of V.
    void operator()(const op::WeightedSum &) {
        is(m_which == 0 ? over(Kind::Sum, gradient(kRow, kSummed) * read(1, kColumn, kSummed),
                               m_step.shape.last(0))
                        : over(Kind::Sum, read(0, kSummed, kRow) * gradient(kSummed, kColumn),
                               m_step.shape.last(1)));
    }

    void operator()(const op::Each &of) { std::visit(*this, of.function); }
    void operator()(const op::Scale &of) {
        const Expression factor =
            of.root > 0 ? function(Kind::Root, number(asDouble(of.root)))
                        : number(static_cast<double>(of.divides ? of.divisor : of.factor));
        if (of.divides)
            is(gradient() / factor);
        else
            is(of.factor == 1 ? gradient() : gradient() * factor);
    }
    void operator()(const op::Softcap &of) {
        is(gradient() * slopeOfTanh(made() / number(static_cast<double>(of.limit))));
    }
    void operator()(const op::Tanh &) { is(gradient() * slopeOfTanh(made())); }
    void operator()(const op::Sigmoid &) { is(gradient() * made() * (number(1) - made())); }
    void operator()(Activation which) { is(gradient() * derivativeOf(which, read(0))); }

    /// Sums the gradients of all pairs in the row that have this distance. These pairs are
    /// adjacent.
    void operator()(const op::PickDistances &of) {
        m_meaning.inSymbols = gradient();
        is(gradient());
        if (!m_number.row || !m_number.column)
            return;
        const Index own = *m_number.row, queries = m_step.shape.last(1);
        const Index keys = m_step.shape.last(0);
        Index first = 0, count = 0;
        for (Index other = 0; other < (of.byKeys ? queries : keys); ++other)
            if (distanceRow(of.byKeys ? other - own : own - other, of.table) == *m_number.column) {
                first = count == 0 ? other : first;
                ++count;
            }
        if (count == 0)
            return is(number(0));
        is(over(Kind::Sum, of.byKeys ? gradient(kSummed, kRow) : gradient(kRow, kSummed), count,
                Coordinate::Kind::Summed, first));
    }
    void operator()(const op::Mask &) {
        is(choose(When::Hidden, number(0), number(0), gradient()));
        remark(Beside::Formula, Note::NothingThroughMask);
    }
    /// A ⊙ (G − Σ A ⊙ G) ÷ T. The sum is subtracted because a weight can only grow at the expense
    /// of the others.
    void operator()(const op::Softmax &of) {
        if (!of.normalises)
            return is(choose(When::MinusInfinity, read(0), number(0),
                             tempered(gradient(), of.temperature)));
        const Expression ofRow =
            over(Kind::Sum, made(kRow, kSummed) * gradient(kRow, kSummed), m_step.shape.last(0));
        is(tempered(made() * (gradient() - ofRow), of.temperature));
        remark(Beside::Formula, Note::SumsOfRow);
    }

    void operator()(const op::ConcatHeads &) {
        const Index size = m_plan[m_step.reads[0]].shape.last(0);
        is(m_number.column ? gradient(kRow, fixed(m_number.head * size + *m_number.column))
                           : gradient());
    }
    void operator()(const op::JoinColumns &) {
        const Index shared = m_plan[m_step.reads[0]].shape.last(0);
        is(m_number.column ? gradient(kRow, fixed(*m_number.column + (m_which == 0 ? 0 : shared)))
                           : gradient());
    }
    /// A value can be in several parts of its result row, and in parts of other rows.
    void operator()(const op::JoinNeighbours &of) {
        is(gradient());
        if (!isOneNumber())
            return;
        std::optional<Expression> sum;
        Index before = 0;
        for (const op::JoinNeighbours::Part &part : of.parts) {
            const Index row = *m_number.row - part.shift, column = *m_number.column - part.first;
            if (part.which == m_which && row >= 0 && row < m_step.shape.last(1) && column >= 0 &&
                column < part.columns) {
                Expression own = gradient(fixed(row), fixed(before + column));
                sum = sum ? *std::move(sum) + std::move(own) : std::move(own);
            }
            before += part.columns;
        }
        is(sum ? *std::move(sum) : number(0));
    }
    void operator()(const op::SplitHeads &) {
        const Index size = m_step.shape.last(0), column = m_number.column.value_or(m_head * size);
        m_isMade = column / size == m_head;
        is(m_number.column ? gradient(kRow, fixed(column % size)) : gradient());
    }

    void operator()(const op::Gate &of) {
        if (m_which == 0)
            return is(gradient() * read(1) * derivativeOf(of.activation, read(0)));
        Expression gate = activated(of.activation, read(0));
        gate.written = Expression::Written::Value;
        is(gradient() * std::move(gate));
    }

    /// The rows of this step are sequences.
    void operator()(const op::Pool &of) {
        const Index real = m_trace.batch()[m_sequence].length;
        const bool isMean = of.pooling == Pooling::Mean;
        const auto [first, count] = of.rowsOf(m_sequence, real);
        const Index row = m_number.row.value_or(first);
        const Expression own = gradient(fixed(m_sequence));
        if (row < first || row >= first + count)
            return is(number(0));
        is(isMean ? own / number(asDouble(count)) : own);
    }

    /// The gradient is 0 because the result does not depend on the inputs.
    void operator()(const op::Replace &of) {
        is(number(0));
        remark(Beside::Formula,
               of.by == op::Replace::By::Uniform ? Note::UniformHead : Note::HeadIsSilenced);
    }

  private:
    Expression made(Coordinate row = kRow, Coordinate column = kColumn) const {
        return leafAt(Kind::Made, row, column);
    }
    /// Returns the gradient of the operation's result. An intervention applies after the operation,
    /// so the gradient passes through the intervention first.
    Expression gradient(Coordinate row = kRow, Coordinate column = kColumn) const {
        Expression own = leafAt(Kind::Gradient, row, column);
        if (!m_change || replaces(*m_change))
            return own;
        const auto *set = std::get_if<op::SetCells>(m_change);
        return set ? throughCells(std::move(own), set->cells) : throughMean(std::move(own));
    }
    /// Overwritten values do not pass the gradient on.
    Expression throughCells(Expression own, const std::vector<op::SetCells::Cell> &cells) const {
        if (!isOneNumber())
            return own;
        Expression isComputed = table([&cells](Index row, Index column) {
            return std::ranges::none_of(cells, [&](const op::SetCells::Cell &cell) {
                return cell.row == row && cell.column == column;
            });
        });
        isComputed.row = own.row;
        isComputed.column = own.column;
        return std::move(own) * std::move(isComputed);
    }
    /// The intervention replaces every row with the mean of the real tokens' rows.
    Expression throughMean(Expression own) const {
        const auto real = batch()[m_sequence].length;
        Expression share = table(
            [real](Index row, Index) { return row < real ? 1 / static_cast<double>(real) : 0; });
        share.row = std::exchange(own.row, kToken);
        const Index rows = m_step.shape.last(1);
        if (!isOneNumber())
            return over(Kind::Mean, std::move(own), rows, Coordinate::Kind::Token);
        return over(Kind::Sum, std::move(own), rows, Coordinate::Kind::Token) * std::move(share);
    }
    bool isOneNumber() const { return m_number.row && m_number.column; }
    /// Returns 1 − y², the derivative of tanh, for y = tanh(x).
    static Expression slopeOfTanh(Expression y) {
        Expression made =
            call(Note::None, {}, symbol(""), number(1) - power(std::move(y), number(2)));
        made.text = "(1 − tanh²)";
        made.written = Expression::Written::Value;
        return made;
    }
    bool isPadding() const { return m_number.row && batch()[m_sequence].isPadding(*m_number.row); }

    std::size_t m_which;
    Slice m_number;
    const Operation *m_change;
    bool m_isMade = true;
};

} // namespace

std::vector<Reader> readersOf(const Plan &plan, StepId step, Index sequence, Index head) {
    std::vector<Reader> readers;
    const StepId origin = plan.origin(step);
    const Step &read = plan[origin];
    for (StepId id = 0; id < plan.size(); ++id)
        for (std::size_t which = 0; plan[id].isOwn() && which < plan[id].reads.size(); ++which) {
            if (plan.origin(plan[id].reads[which]) != origin)
                continue;
            const Index heads = plan[id].heads();
            // A matrix that all sequences share is read by each of them.
            const bool isOfAll = read.sequences() < plan[id].sequences();
            const Index first = isOfAll ? 0 : sequence;
            const Index last = isOfAll ? plan[id].sequences() - 1 : sequence;
            for (Index b = first; b <= last; ++b)
                for (Index h = 0; h < heads; ++h)
                    if (heads < read.heads() || headRead(h, heads, read.heads()) == head)
                        readers.push_back({id, which, b, h});
        }
    return readers;
}

std::optional<Meaning> backwardOf(const Trace &trace, const Reader &reader, const Slice &number) {
    return BackwardMaker(trace, reader, number).make();
}

} // namespace headlight::core
