// The derivation of a value, one function per operation.
#include "core/explain/derivation.h"

#include "core/explain/matrix_part.h"
#include "core/explain/statistics.h"
#include "core/format_number.h"
#include "core/operations/activation.h"
#include "core/selection/selected.h"
#include "core/transformer/run/operands.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::core {

namespace {

using Q = Quantity;

double asDouble(Index number) {
    return static_cast<double>(number);
}

class Deriver {
  public:
    Deriver(const Trace &trace, Index sequence, const Slice &made)
        : m_trace(trace),
          m_plan(trace.plan()),
          m_step(m_plan[m_plan.origin(made.step)]),
          m_sequence(sequence),
          m_row(*made.row),
          m_column(made.column.value_or(0)) {
        m_found.made = made;
        m_found.at = m_plan[made.step].at;
        m_found.isNamed = m_plan[made.step].isNamed();
    }

    Derivation derive() {
        if (m_found.made.column)
            m_found.value = numbersOf(m_found.made.step, m_found.made.head)(m_row, m_column);
        if (isPair())
            m_found.hiddenBy = mask().hiddenBy(m_row, m_column);
        if (m_plan[m_found.made.step].renames) {
            m_found.by = &kCopy;
            m_found.from = {m_step.at};
            return std::move(m_found);
        }
        for (const StepId read : m_step.reads)
            m_found.from.push_back(m_plan[read].at);
        const Operation *change =
            m_step.changeAt(m_step.sequences() == 1 ? 0 : m_sequence, m_found.made.head);
        m_found.by = change && isChanged(*change) ? change : &m_step.operation;
        std::visit(*this, *m_found.by);
        return std::move(m_found);
    }

    void operator()(const op::EmbeddingLookup &) {
        const Sequence &sequence = batch()[m_sequence];
        const Vocabulary *words = m_trace.model().vocabularyOf(m_step.at.attention.stack);
        const ParameterBlock matrix = parameter(0);
        if (sequence.embeddings || matrix.empty() || !words)
            return;
        const auto word = words->idOf(sequence[m_row]);
        if (!word)
            return;
        note(Q::Word, asDouble(*word));
        useMatrix(0);
        m_found.matrixRow = *word;
        m_found.matrixColumn = m_column;
        m_found.terms = {{1, matrix(*word, m_column)}};
    }
    void operator()(const op::AddSinusoids &of) {
        noteInput();
        note(Q::Other, sinusoidalPosition(m_row, m_column, m_step.shape.last(0), of.order));
        note(Q::OtherIndex, asDouble(m_row));
    }
    void operator()(const op::AddPositions &of) { addRowOfTable(m_row + of.offset); }
    void operator()(const op::AddTokenTypes &) {
        const std::vector<Index> &types = batch()[m_sequence].tokenTypes;
        addRowOfTable(types.empty() ? 0 : types[static_cast<std::size_t>(m_row)]);
    }

    void operator()(const op::Normalise &of) {
        noteInput();
        const std::vector<float> together = normedTogether(of.kind == NormKind::Batch);
        const Statistics found = statisticsOf(together, of.kind);
        if (of.kind != NormKind::RootMeanSquare)
            note(Q::Mean, found.mean);
        note(Q::Variance, found.variance);
        note(Q::Deviation, std::sqrt(found.variance + static_cast<double>(of.epsilon)));
        note(Q::Count, asDouble(found.count));
        note(Q::Sequences, asDouble(of.kind == NormKind::Batch ? batch().count() : 1));
        noteParameter(Q::Gain, 0);
        noteParameter(Q::Bias, 1);
    }

    void operator()(const op::Linear &of) {
        const ParameterBlock weight = parameter(0);
        const MatrixPart x = read(0);
        const auto split = m_step.parameters[0].split;
        useMatrix(0);
        m_found.matrixColumn =
            m_column +
            (split == ParameterSlice::Split::Columns ? m_found.made.head * weight.columns : 0);
        if (split == ParameterSlice::Split::Rows)
            m_found.matrixRow = m_found.made.head * weight.rows;
        for (Index i = 0; i < x.columns; ++i)
            m_found.terms.push_back(
                {x(m_row, i), of.transposed ? weight(m_column, i) : weight(i, m_column)});
        noteParameter(Q::Bias, 1);
        const Step &source = m_plan[m_plan.origin(m_step.reads[0])];
        if (std::holds_alternative<op::ConcatHeads>(source.operation))
            m_found.heads = m_plan[source.reads[0]].heads();
    }

    void operator()(const op::ApplyRotary &of) {
        noteInput();
        const auto pairs = static_cast<Index>(of.turns.frequencies.size());
        if (m_column >= 2 * pairs)
            return;
        const Index partner = (m_column + pairs) % (2 * pairs);
        const auto pair = static_cast<std::size_t>(m_column % pairs);
        const RotaryTable table(of.turns, m_row + 1);
        note(Q::Other, read(0)(m_row, partner));
        note(Q::OtherIndex, asDouble(partner));
        note(Q::Angle, asDouble(m_row) * of.turns.frequencies[pair]);
        note(Q::Cosine, table.cosine(m_row, m_column % pairs));
        note(Q::Sine, table.sine(m_row, m_column % pairs));
    }

    void operator()(const op::DotProduct &) { dotProduct(); }
    /// Derives the value without the override.
    void operator()(const op::SetCells &) { dotProduct(); }

    void operator()(const op::AlibiBias &of) {
        note(Q::Distance, asDouble(m_column - m_row));
        note(Q::Slope, of.slopes[static_cast<std::size_t>(m_found.made.head)]);
    }
    void operator()(const op::RelativeBias &of) {
        const Index distance = m_column - m_row;
        note(Q::Distance, asDouble(distance));
        note(Q::Bucket, asDouble(relativeBucket(distance, of.config, of.bothWays)));
    }

    void operator()(const op::Softmax &of) {
        noteInput();
        const MatrixPart x = read(0);
        const auto row = x.row(m_row);
        const float maximum = *std::ranges::max_element(row);
        if (maximum == -std::numeric_limits<float>::infinity())
            return;
        note(Q::Maximum, maximum);
        note(Q::Exponential,
             exponentialOf(row[static_cast<std::size_t>(m_column)], maximum, of.temperature));
        double sum = 0;
        for (const float score : row)
            sum += exponentialOf(score, maximum, of.temperature);
        note(Q::Sum, sum);
    }
    void operator()(const op::UniformWeights &) {
        note(Q::Visible, asDouble(mask().visibleKeys(m_row)));
    }

    void operator()(const op::WeightedSum &) {
        const MatrixPart weights = read(0), values = read(1);
        for (Index key = 0; key < weights.columns; ++key)
            m_found.terms.push_back({weights(m_row, key), values(key, m_column)});
    }
    /// Output of the head for each real token, times 1/number of real tokens.
    void operator()(const op::MeanRows &) {
        const SharedMatrix weights = m_trace.matrix(m_step.reads[0], m_sequence, m_found.made.head);
        const MatrixPart values = read(1);
        const Index real = batch()[m_sequence].length;
        note(Q::Count, asDouble(real));
        for (Index token = 0; token < real; ++token) {
            double sum = 0;
            for (Index key = 0; key < weights.columns; ++key)
                sum += Term{weights(token, key), values(key, m_column)}.product();
            m_found.terms.push_back({static_cast<float>(sum), 1 / static_cast<float>(real)});
        }
    }
    void operator()(const op::ConcatHeads &) {
        const Slice from = readsOf(m_trace, m_sequence, m_found.made).front();
        note(Q::Input, numbersOf(from.step, from.head)(m_row, *from.column));
        note(Q::OtherIndex, asDouble(*from.column));
        note(Q::Count, asDouble(from.head));
    }

    /// The value comes from the head's columns of the concatenated heads.
    void operator()(const op::SplitHeads &) {
        const Slice from = readsOf(m_trace, m_sequence, m_found.made).front();
        note(Q::Input, numbersOf(from.step, from.head)(m_row, *from.column));
        note(Q::OtherIndex, asDouble(*from.column));
    }

    void operator()(const op::Add &) {
        noteInput();
        note(Q::Other, read(1)(m_row, m_column));
    }
    void operator()(const op::Activate &of) {
        noteInput();
        noteActivated(of.activation);
    }
    void operator()(const op::Gate &of) {
        noteInput();
        noteActivated(of.activation);
        note(Q::Other, read(1)(m_row, m_column));
    }

    /// Each row is a sequence.
    void operator()(const op::Pool &of) {
        const Index real = m_trace.batch()[m_row].length;
        const Index count = of.pooling == Pooling::Mean ? real : 1;
        const Index first = of.pooling == Pooling::Last ? real - 1 : 0;
        note(Q::Count, asDouble(count));
        note(Q::OtherIndex, asDouble(first));
        if (!m_found.made.column)
            return;
        const SharedMatrix x = m_trace.made(m_step.reads[0]).matrix(m_row);
        for (Index token = first; token < first + count; ++token)
            m_found.terms.push_back({x(token, m_column), 1 / static_cast<float>(count)});
    }

    /// Elementwise operations, and operations without a known derivation.
    template <typename Other>
    void operator()(const Other &) {
        if (!m_step.reads.empty())
            noteInput();
    }

  private:
    static inline const Operation kCopy = op::Clone{};

    void note(Quantity quantity, double number) { m_found.numbers.emplace_back(quantity, number); }
    void note(Quantity quantity, float number) { note(quantity, static_cast<double>(number)); }
    void noteInput() { note(Q::Input, read(0)(m_row, m_column)); }
    void noteParameter(Quantity quantity, std::size_t which) {
        if (const ParameterBlock row = parameter(which); !row.empty())
            note(quantity, row(0, m_column));
    }
    void noteActivated(Activation activation) {
        note(Q::Activated, activate(static_cast<float>(m_found.number(Q::Input)), activation));
    }
    void useMatrix(std::size_t which) { m_found.matrix = m_step.parameters[which].id; }

    void addRowOfTable(Index row) {
        noteInput();
        useMatrix(0);
        note(Q::Other, parameter(0)(row, m_column));
        note(Q::OtherIndex, asDouble(row));
    }
    void dotProduct() {
        const MatrixPart queries = read(0), keys = read(1);
        for (Index i = 0; i < queries.columns; ++i)
            m_found.terms.push_back({queries(m_row, i), keys(m_column, i)});
    }
    /// Returns the values that are normalised together: the row, or for batch norm the column over
    /// the real tokens of the batch.
    std::vector<float> normedTogether(bool isBatch) const {
        if (!isBatch) {
            const MatrixPart x = read(0);
            const auto row = x.row(m_row);
            return {row.begin(), row.end()};
        }
        std::vector<float> numbers;
        const Tensor all = m_trace.made(m_step.reads[0]);
        for (Index b = 0; b < batch().count(); ++b)
            for (Index t = 0; t < batch()[b].length; ++t)
                numbers.push_back(all.view(b)(t, m_column));
        return numbers;
    }

    /// True if the intervention changes this cell.
    bool isChanged(const Operation &change) const {
        const auto *set = std::get_if<op::SetCells>(&change);
        return !set || std::ranges::any_of(set->cells, [this](const op::SetCells::Cell &cell) {
            return cell.row == m_row && cell.column == m_column;
        });
    }

    MatrixPart numbersOf(StepId step, Index head) const {
        return partAt(m_trace, step, m_sequence, head, m_row);
    }
    MatrixPart read(std::size_t which) const {
        const StepId step = m_step.reads[which];
        return numbersOf(step, headRead(m_found.made.head, m_step.heads(), m_plan[step].heads()));
    }
    /// Empty if the model does not have the parameter.
    ParameterBlock parameter(std::size_t which) const {
        return which < m_step.parameters.size()
                   ? sliceOf(m_trace.model().parameters, m_step.parameters[which], m_step.heads(),
                             m_found.made.head)
                   : ParameterBlock();
    }
    const Batch &batch() const { return m_trace.input().of(m_step.at.attention.stack); }
    const Mask &mask() const { return m_trace.mask(m_sequence, m_found.at.attention); }
    bool isPair() const { return infoOf(m_found.at.stage).overKeys(); }

    const Trace &m_trace;
    const Plan &m_plan;
    const Step &m_step; ///< the step that computed the value
    Index m_sequence, m_row, m_column;
    Derivation m_found;
};

bool isOverKeys(const Step &step) {
    return infoOf(step.at.stage).overKeys();
}

/// Adds the derivations of inputs that have no name or belong to the same pair, then that of the
/// slice.
void collect(const Trace &trace, Index sequence, const Slice &made, std::vector<Derivation> &all) {
    const Plan &plan = trace.plan();
    const Step &step = plan[made.step];
    for (Slice read : readsOf(trace, sequence, made)) {
        const Step &source = plan[read.step];
        const bool isSamePair = isOverKeys(step) && isOverKeys(source);
        if (step.renames || (source.isNamed() && !isSamePair))
            continue;
        if (isSamePair) // softmax reads the whole row
            read.column = made.column;
        if (!read.row) // batch norm reads the column of all tokens
            read.row = made.row;
        if (!read.column && !std::holds_alternative<op::Linear>(step.operation))
            read.column = made.column; // norms read all columns
        collect(trace, sequence, read, all);
    }
    const bool isCopy = std::holds_alternative<op::Clone>(step.operation) && !all.empty();
    if (!isCopy)
        all.push_back(Deriver(trace, sequence, made).derive());
    else
        all.back().made = made, all.back().at = step.at, all.back().isNamed = step.isNamed();
}

} // namespace

double exponentialOf(float score, float maximum, float temperature) {
    if (maximum == std::numeric_limits<float>::infinity())
        return score == maximum ? 1 : 0;
    return std::exp((static_cast<double>(score) - static_cast<double>(maximum)) /
                    static_cast<double>(temperature));
}

double sumOf(const std::vector<Term> &terms) {
    double sum = 0;
    for (const Term &term : terms)
        sum += term.product();
    return sum;
}

std::optional<double> Derivation::find(Quantity quantity) const {
    for (const auto &[which, number] : numbers)
        if (which == quantity)
            return number;
    return std::nullopt;
}

double Derivation::number(Quantity quantity) const {
    return find(quantity).value_or(std::numeric_limits<double>::quiet_NaN());
}

std::optional<Index> Derivation::whole(Quantity quantity) const {
    const std::optional<double> number = find(quantity);
    return number ? std::optional(static_cast<Index>(*number)) : std::nullopt;
}

std::string Derivation::wholeText(Quantity quantity) const {
    const std::optional<Index> number = whole(quantity);
    return number ? std::to_string(*number) : std::string(kNoNumber);
}

std::vector<double> Derivation::sumsOfHeads() const {
    std::vector<double> sums(static_cast<std::size_t>(heads));
    for (std::size_t i = 0; i < terms.size(); ++i)
        sums[i * sums.size() / terms.size()] += terms[i].product();
    return sums;
}

std::vector<Derivation> derivationsOf(const Trace &trace, const Selection &selection) {
    std::vector<Derivation> all;
    if (valueAt(trace, selection))
        collect(trace, selection.sequence,
                *asSlice(trace.plan(), *regionOf(trace.plan(), selection)), all);
    return all;
}

std::vector<Term> contributionOf(const Trace &trace, const Selection &selection) {
    Selection pair = selection;
    pair.stage = Stage::AttentionWeights;
    const Result<float> weight = valueAt(trace, pair);
    std::vector<Term> terms;
    if (!weight)
        return terms;
    const SharedMatrix values =
        trace.matrix(Stage::Value, selection.attention(), selection.sequence, selection.head);
    if (*selection.key < values.rows)
        for (const float value : values.row(*selection.key))
            terms.push_back({*weight, value});
    return terms;
}

} // namespace headlight::core
