#include "core/explain/evaluation.h"

#include "core/transformer/run/operands.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace headlight::core {

namespace {

using Kind = Expression::Kind;

bool isSummed(const Coordinate &coordinate) {
    return coordinate.kind == Coordinate::Kind::Summed ||
           coordinate.kind == Coordinate::Kind::Token;
}

/// True if the value depends on the index of a surrounding sum.
bool dependsOnSum(const Expression &x) {
    if (x.is(Kind::Sum) || x.is(Kind::Mean) || x.is(Kind::Maximum))
        return false;
    const bool isRead = x.is(Kind::Read) || x.is(Kind::Learned) || x.is(Kind::Table) ||
                        x.is(Kind::Made) || x.is(Kind::Gradient);
    return (isRead && (isSummed(x.row) || isSummed(x.column))) ||
           std::ranges::any_of(x.of, dependsOnSum);
}

/// True if the value may differ between the columns of a row.
bool dependsOnColumn(const Expression &x) {
    const bool isRead = x.is(Kind::Read) || x.is(Kind::Learned) || x.is(Kind::Table) ||
                        x.is(Kind::Made) || x.is(Kind::Gradient);
    const auto isColumn = [](const Coordinate &coordinate) {
        return coordinate.kind == Coordinate::Kind::Column;
    };
    return x.is(Kind::Given) || x.is(Kind::KeyIndex) || x.is(Kind::Choose) ||
           (isRead && (isColumn(x.row) || isColumn(x.column))) ||
           std::ranges::any_of(x.of, dependsOnColumn);
}

/// Treats −∞ − (−∞) and ∞ − ∞ as 0, which is softmax's convention for overflowed scores.
double difference(double a, double b) {
    return a == b ? 0 : a - b;
}

/// Treats 0 ÷ 0 as 0, for a norm of equal values without ε.
double quotient(double a, double b) {
    return a == 0 && b == 0 ? 0 : a / b;
}

} // namespace

double sumOf(const std::vector<Term> &terms) {
    double sum = 0;
    for (const Term &term : terms)
        sum += term.product();
    return sum;
}

Evaluation::Evaluation(const Trace &trace, Index sequence, Slice made, GradientSource gradients)
    : m_trace(trace),
      m_plan(trace.plan()),
      m_sequence(sequence),
      m_made{m_plan.origin(made.step), made.head, made.row, made.column},
      m_step(m_plan[m_made.step]),
      m_gradients(std::move(gradients)) {}

Index Evaluation::indexOf(const Coordinate &coordinate) const {
    switch (coordinate.kind) {
    case Coordinate::Kind::Row:
        return *m_made.row;
    case Coordinate::Kind::Column:
        return *m_made.column;
    case Coordinate::Kind::Summed:
        return (m_summed ? *m_summed : *m_made.column) + coordinate.index;
    case Coordinate::Kind::Token:
        return *m_token;
    case Coordinate::Kind::Fixed:
        break;
    }
    return coordinate.index;
}

std::optional<Index> Evaluation::fixedIndexOf(const Coordinate &coordinate) const {
    switch (coordinate.kind) {
    case Coordinate::Kind::Row:
        return m_made.row;
    case Coordinate::Kind::Column:
        return m_made.column;
    case Coordinate::Kind::Fixed:
        return coordinate.index;
    default:
        return std::nullopt;
    }
}

Slice Evaluation::sliceOf(const Expression &read) const {
    const StepId step = read.is(Kind::Read) ? m_plan[read.step].reads[read.which] : read.step;
    const Index head =
        read.head.value_or(headRead(m_made.head, m_step.heads(), m_plan[step].heads()));
    const bool isOfBatch = read.rowsOf != Expression::RowsOf::Sequence;
    return {step, head, isOfBatch ? std::nullopt : fixedIndexOf(read.row),
            fixedIndexOf(read.column)};
}

const MatrixPart &Evaluation::matrix(const Expression &read, Index sequence) {
    const Slice slice = sliceOf(read);
    const bool isWhole = !slice.row || m_trace.plan()[slice.step].shape.rank() == 2;
    MatrixPart &part = m_matrices[{slice.step, sequence, slice.head, isWhole}];
    if (part.empty())
        part = isWhole ? MatrixPart(m_trace.matrix(slice.step, sequence, slice.head))
                       : partAt(m_trace, slice.step, sequence, slice.head, *slice.row);
    return part;
}

const ParameterBlock &Evaluation::parameter(const Expression &learned) {
    const Step &step = m_plan[learned.step];
    const auto [place, isNew] = m_parameters.try_emplace({learned.step, learned.which});
    if (isNew && learned.which < step.parameters.size())
        place->second =
            core::sliceOf(m_trace.model().parameters, step.parameters[learned.which], step.heads(),
                          headRead(m_made.head, m_step.heads(), step.heads()));
    return place->second;
}

std::pair<Index, Index> Evaluation::rowOf(const Expression &x) {
    if (x.rowsOf == Expression::RowsOf::Sequence)
        return {x.sequence.value_or(m_sequence), indexOf(x.row)};
    auto &tokens = m_tokensOfBatch[x.rowsOf];
    if (tokens.empty()) {
        const Batch &batch = m_trace.input().of(m_step.at.attention.stack);
        const bool isAll = x.rowsOf == Expression::RowsOf::AllTokens;
        for (Index b = 0; b < batch.count(); ++b)
            for (Index t = 0; t < (isAll ? batch.length() : batch[b].length); ++t)
                tokens.emplace_back(b, t);
    }
    return tokens[static_cast<std::size_t>(indexOf(x.row))];
}

double Evaluation::read(const Expression &x) {
    const auto [sequence, row] = rowOf(x);
    const MatrixPart &numbers = matrix(x, sequence);
    const Index column = indexOf(x.column);
    return row < numbers.rows && column < numbers.columns
               ? static_cast<double>(numbers(row, column))
               : std::numeric_limits<double>::quiet_NaN();
}

std::optional<NumberOrigin> Evaluation::originOf(const Expression &x, const Expression *sum,
                                                 Index summand) {
    if (x.is(Kind::Named))
        return originOf(x.of[0], sum, summand);
    if (!x.is(Kind::Read) && !x.is(Kind::Learned))
        return std::nullopt;
    std::optional<Index> none;
    std::optional<Index> &index = !sum                                   ? none
                                  : sum->over == Coordinate::Kind::Token ? m_token
                                                                         : m_summed;
    const std::optional<Index> around = std::exchange(index, summand);
    NumberOrigin origin;
    bool isNamed = true;
    origin.sequence = m_sequence;
    origin.column = indexOf(x.column);
    if (x.is(Kind::Read)) {
        const Step &step = m_plan[sliceOf(x).step];
        isNamed = step.isNamed();
        origin.at = step.at;
        origin.head = x.head;
        std::tie(origin.sequence, origin.row) = rowOf(x);
    } else {
        const Step &step = m_plan[x.step];
        origin.at = step.at;
        origin.parameter = step.parameters[x.which].id;
        origin.row = indexOf(x.row);
    }
    index = around;
    return isNamed ? std::optional(origin) : std::nullopt;
}

double Evaluation::gradient(const Expression &x) {
    const auto [sequence, row] = rowOf(x);
    return m_gradients(sequence, {x.step, sliceOf(x).head, row, indexOf(x.column)});
}

double Evaluation::printedValue(const Expression &x, const PrintedNumber &printed) {
    m_printed = &printed;
    const double made = value(x);
    m_printed = nullptr;
    return made;
}

std::optional<double> Evaluation::printedPart(const Expression &x, bool isFactor) {
    const PrintedNumber *printed = std::exchange(m_printed, nullptr);
    const std::optional<double> number = (*printed)(x, isFactor, [&] { return value(x); });
    m_printed = printed;
    return number;
}

double Evaluation::summand(const Expression &each) {
    const auto factor = [this](const Expression &x) {
        const std::optional<double> number = m_printed ? printedPart(x, true) : std::nullopt;
        return number ? *number : value(x);
    };
    return each.is(Kind::Multiply) && m_printed ? factor(each.of[0]) * factor(each.of[1])
                                                : factor(each);
}

double Evaluation::overOthers(const Expression &x) {
    std::optional<Index> &index = x.over == Coordinate::Kind::Token ? m_token : m_summed;
    const std::optional<Index> around = index;
    double result = x.is(Kind::Maximum) ? -std::numeric_limits<double>::infinity() : 0;
    for (Index i = x.first; i < x.first + x.count; ++i) {
        index = i;
        const double each = summand(x.of[0]);
        result = x.is(Kind::Maximum) ? std::max(result, each) : result + each;
    }
    index = around;
    return x.is(Kind::Mean) ? result / static_cast<double>(x.count) : result;
}

double Evaluation::namedPart(const Expression &x) {
    if (m_printed) // the values in m_known are not rounded
        return value(x.of[0]);
    const bool isOne = !dependsOnSum(x);
    const auto known = m_known.find({x.step, x.quantity});
    const double number = isOne && known != m_known.end() ? known->second.value : value(x.of[0]);
    if (isOne && known == m_known.end())
        m_known[{x.step, x.quantity}] = {number, dependsOnColumn(x)};
    const bool isNoted = std::ranges::any_of(
        m_numbers, [&](const auto &noted) { return noted.first == x.quantity; });
    if (!m_summed && !m_token && !isNoted)
        m_numbers.emplace_back(x.quantity, number);
    return number;
}

bool Evaluation::holds(const Expression &choice) {
    const PrintedNumber *printed = std::exchange(m_printed, nullptr);
    const double subject = value(choice.of[0]);
    m_printed = printed;
    if (choice.when == Expression::When::MinusInfinity)
        return subject == -std::numeric_limits<double>::infinity();
    if (choice.when == Expression::When::Positive)
        return subject > 0;
    return m_trace.mask(m_sequence, m_step.at.attention).hidden(*m_made.row, *m_made.column);
}

double Evaluation::value(const Expression &x) {
    if (m_printed)
        if (const std::optional<double> number = printedPart(x, false))
            return *number;
    const auto operand = [&](std::size_t which) { return value(x.of[which]); };
    switch (x.kind) {
    case Kind::Given: {
        const MatrixPart own = partAt(m_trace, m_made.step, m_sequence, m_made.head, *m_made.row);
        return own.empty() ? std::numeric_limits<double>::quiet_NaN()
                           : static_cast<double>(own(*m_made.row, *m_made.column));
    }
    case Kind::Number:
        return x.number;
    case Kind::RowIndex:
        return static_cast<double>(*m_made.row);
    case Kind::KeyIndex:
        return static_cast<double>(*m_made.column);
    case Kind::Read:
    case Kind::Made:
        return read(x);
    case Kind::Gradient:
        return gradient(x);
    case Kind::Learned:
        return static_cast<double>(parameter(x)(indexOf(x.row), indexOf(x.column)));
    case Kind::Table:
        return x.table(indexOf(x.row), indexOf(x.column));
    case Kind::Sum:
    case Kind::Mean:
    case Kind::Maximum:
        return overOthers(x);
    case Kind::Add: {
        const double first = operand(0);
        return first + operand(1);
    }
    case Kind::Subtract: {
        const double first = operand(0);
        return difference(first, operand(1));
    }
    case Kind::Multiply: {
        const double first = operand(0);
        return first * operand(1);
    }
    case Kind::Divide: {
        const double first = operand(0);
        return quotient(first, operand(1));
    }
    case Kind::Power:
        return std::pow(operand(0), operand(1));
    case Kind::Negative:
        return -operand(0);
    case Kind::Absolute:
        return std::abs(operand(0));
    case Kind::Root:
        return std::sqrt(operand(0));
    case Kind::Exponential:
        return std::exp(operand(0));
    case Kind::Sine:
        return std::sin(operand(0));
    case Kind::Cosine:
        return std::cos(operand(0));
    case Kind::Tanh:
        return std::tanh(operand(0));
    case Kind::ErrorFunction:
        return std::erf(operand(0));
    case Kind::Positive:
        return std::max(operand(0), 0.0);
    case Kind::Choose:
        return operand(holds(x) ? 1 : 2);
    case Kind::Named:
        return namedPart(x);
    case Kind::Call:
        return operand(1);
    case Kind::Symbol:
    case Kind::Side:
        break;
    }
    assert(false); // does not occur in evaluated expressions
    return std::numeric_limits<double>::quiet_NaN();
}

std::vector<Term> Evaluation::terms(const Expression &sum) {
    std::optional<Index> &index = sum.over == Coordinate::Kind::Token ? m_token : m_summed;
    std::vector<Term> terms;
    const Expression &each = sum.of[0];
    for (Index i = sum.first; i < sum.first + sum.count; ++i) {
        index = i;
        if (sum.is(Kind::Mean))
            terms.push_back({static_cast<float>(value(each)), 1 / static_cast<float>(sum.count)});
        else if (!each.is(Kind::Multiply))
            terms.push_back({static_cast<float>(value(each)), 1});
        else
            terms.push_back(
                {static_cast<float>(value(each.of[0])), static_cast<float>(value(each.of[1]))});
    }
    index.reset();
    return terms;
}

std::vector<double> Evaluation::each(const Expression &sum, const Expression &part) {
    std::optional<Index> &index = sum.over == Coordinate::Kind::Token ? m_token : m_summed;
    std::vector<double> numbers;
    for (Index i = sum.first; i < sum.first + sum.count; ++i) {
        index = i;
        numbers.push_back(value(part));
    }
    index.reset();
    return numbers;
}

std::vector<double> Evaluation::row(const Expression &x) {
    std::vector<double> numbers;
    m_known.clear();
    const std::optional<Index> column = std::exchange(m_made.column, 0);
    for (*m_made.column = 0; *m_made.column < m_step.shape.last(0); ++*m_made.column) {
        std::erase_if(m_known, [](const auto &known) { return known.second.isOfColumn; });
        numbers.push_back(value(x));
    }
    m_made.column = column;
    m_known.clear();
    return numbers;
}

void forEachRead(const Expression &x, const std::function<void(const Expression &)> &visit) {
    if (x.is(Kind::Read))
        return visit(x);
    if (x.is(Kind::Call)) // the body reads the argument's matrices and specifies which part of them
        return forEachRead(x.of[1], visit);
    for (const Expression &part : x.of)
        forEachRead(part, visit);
}

} // namespace headlight::core
