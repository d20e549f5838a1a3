#include "core/explain/arithmetic_writer.h"

#include "core/explain/inlined.h"
#include "core/explain/symbols.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

using Kind = Expression::Kind;
using Written = Expression::Written;

} // namespace

ArithmeticWriter::ArithmeticWriter(const Trace &trace, const Selection &selection)
    : ExplainedStep(trace, selection),
      m_row(*m_region.row),
      m_role(infoOf(selection.stage).role),
      m_own(matrix({selection.stage, selection.attention()})),
      m_meaning(inlinedMeaning(trace, selection.sequence, sliceAt(m_step), Inline::EachNumber)),
      m_isWritten(!readsUnnamed(m_plan, m_meaning.number)),
      m_evaluation(trace, selection.sequence, sliceAt(m_step)),
      m_numbers(trace, m_evaluation, m_line, m_role, NumberWriter::digitsFor(m_meaning.number)) {}

MatrixPart ArithmeticWriter::matrix(StageId at) const {
    const auto step = m_trace.plan().find(at);
    return step ? partAt(m_trace, *step, m_selection.sequence,
                         m_trace.headOf(*step, m_selection.head), m_row)
                : MatrixPart();
}

Meaning ArithmeticWriter::meaningOfRow() const {
    Slice row = sliceAt(m_step);
    row.column.reset();
    return inlinedMeaning(m_trace, m_selection.sequence, row, Inline::EachNumber);
}

bool ArithmeticWriter::areSourcesThere() const {
    for (std::size_t i = 0; i < m_step.reads.size(); ++i)
        if (isNamed(i) && matrix(readAt(i)).empty())
            return false;
    return true;
}

bool ArithmeticWriter::isCopy(const Expression &x) const {
    return x.is(Kind::Given) || x.is(Kind::Number) || x.is(Kind::Read) ||
           (x.is(Kind::Named) && isCopy(x.of[0])) ||
           (x.is(Kind::Sum) && x.of[0].of[0].is(Kind::Number)) || // an embedding lookup
           (x.is(Kind::Call) && x.of[1].is(Kind::Mean) && x.of[1].count == 1);
}

bool ArithmeticWriter::hasIndices(const Expression &x) const {
    return x.is(Kind::RowIndex) || x.is(Kind::KeyIndex) ||
           std::ranges::any_of(x.of, [this](const Expression &part) { return hasIndices(part); });
}

bool ArithmeticWriter::hidesAny() const {
    const MatrixPart x = matrix(readAt(0));
    return std::ranges::any_of(x.row(m_row), [](float number) { return std::isinf(number); });
}

bool ArithmeticWriter::isScalar(const Expression &x) {
    const bool isOne = x.is(Kind::Read) && x.column.kind == Coordinate::Kind::Fixed;
    const bool isFactor = x.is(Kind::Named) && x.of[0].is(Kind::Number);
    return isOne || isFactor || x.is(Kind::Number) || x.is(Kind::Root);
}

std::vector<float> ArithmeticWriter::rowOf(const Expression &read) const {
    const Slice slice = m_evaluation.sliceOf(read);
    const Index at = slice.row.value_or(m_row);
    const MatrixPart part =
        partAt(m_trace, slice.step, read.sequence.value_or(m_selection.sequence), slice.head, at);
    const auto row = part.row(at);
    const auto first = row.begin() + (read.count > 0 ? read.column.index : 0);
    return {first, read.count > 0 ? first + read.count : row.end()};
}

std::optional<NumberOrigin> ArithmeticWriter::originOfRow(const Expression &read) const {
    const Step &step = m_plan[m_evaluation.sliceOf(read).step];
    if (!step.isNamed())
        return std::nullopt;
    return NumberOrigin{step.at,
                        {},
                        read.sequence.value_or(m_selection.sequence),
                        read.head,
                        m_evaluation.sliceOf(read).row.value_or(m_row),
                        read.count > 0 ? read.column.index : 0};
}

void ArithmeticWriter::number(const Expression &x) {
    if (x.is(Kind::Call) && x.written == Written::Row)
        return row(x);
    if (m_region.column) {
        // An intervention, or the mask, may have replaced the result.
        const double made = m_evaluation.value(x);
        const auto own = static_cast<double>(m_own(m_row, *m_region.column));
        const bool isOwn = std::abs(own - made) <= 1e-4 * std::max(1.0, std::abs(made));
        m_numbers.chooseDigits(x, isOwn ? own : made);
    }
    m_numbers.number(x);
}

// Arithmetic with the vectors of a row

void ArithmeticWriter::product(const Expression &sum) {
    const Expression &left = sum.of[0].of[0], &right = sum.of[0].of[1];
    if (right.is(Kind::Read) && right.row.kind == Coordinate::Kind::Summed) {
        const std::vector<float> weights = rowOf(left);
        for (std::size_t j = 0; j < weights.size(); ++j) {
            const std::size_t first = m_line.size();
            m_line.plain(j > 0 ? " + " : "");
            m_line.number(termText(static_cast<double>(weights[j])), roleOf(left),
                          m_evaluation.originOf(left, &sum, static_cast<Index>(j)));
            m_line.plain("·");
            m_line.symbol(symbolOf(m_trace, stageOf(right)), roleOf(right));
            m_line.number("[", roleOf(right));
            m_line.name(Piece::Kind::ColumnName, static_cast<Index>(j), false);
            m_line.number("]", roleOf(right));
            m_line.endVectorTerm(first, std::abs(static_cast<double>(weights[j])));
        }
        return;
    }
    m_line.vector(rowOf(left), roleOf(left), {}, originOfRow(left));
    m_line.plain(" · ");
    if (right.is(Kind::Read))
        return m_line.symbol(symbolOf(m_trace, stageOf(right)) + "ᵀ", roleOf(right));
    if (right.row.kind == Coordinate::Kind::Column)
        return m_line.symbol("Eᵀ", roleOf(right));
    m_line.weight(letterOf(m_plan[right.step].parameters[right.which].id.which), roleOf(right));
}

void ArithmeticWriter::row(const Expression &x) {
    const auto between = [&](const char *sign) {
        row(x.of[0]);
        m_line.plain(sign);
        row(x.of[1]);
    };
    const auto inside = [&](const char *before, const char *after) {
        m_line.plain(before);
        row(x.of[0]);
        m_line.plain(after);
    };
    switch (x.kind) {
    case Kind::Read:
        if (x.column.kind == Coordinate::Kind::Fixed) // the same value for the whole row
            return m_numbers.number(x);
        return m_line.vector(rowOf(x), roleOf(x),
                             m_meaning.number.written == Written::Row ? m_region.column
                                                                      : std::nullopt,
                             originOfRow(x));
    case Kind::Learned:
    case Kind::Table: {
        const std::vector<double> numbers = m_evaluation.row(x);
        return m_line.vector(std::vector<float>(numbers.begin(), numbers.end()), roleOf(x));
    }
    case Kind::Named:
        if (x.of[0].is(Kind::Sum) && !x.of[0].of[0].is(Kind::Multiply))
            return m_numbers.number(x); // one number for the row
        return row(x.of[0]);
    case Kind::Sum:
        return product(x);
    case Kind::Mean:
        return m_line.words(Note::Mean);
    case Kind::Add:
        return between(" + ");
    case Kind::Multiply: {
        const bool brackets = x.of[1].is(Kind::Add);
        const std::string sign = isScalar(x.of[0]) || isScalar(x.of[1]) ? "·" : " ⊙ ";
        row(x.of[0]);
        m_line.plain(brackets ? sign + "(" : sign);
        row(x.of[1]);
        return m_line.plain(brackets ? ")" : "");
    }
    case Kind::Divide: {
        const Expression &divisor = x.of[1].is(Kind::Named) ? x.of[1].of[0] : x.of[1];
        const bool brackets = divisor.is(Kind::Add);
        row(x.of[0]);
        m_line.plain(brackets ? " ÷ (" : " ÷ ");
        row(divisor);
        return m_line.plain(brackets ? ")" : "");
    }
    case Kind::Tanh:
        return inside("tanh(", ")");
    case Kind::Exponential:
        return inside("exp(", ")");
    case Kind::Negative:
        return inside("−", "");
    case Kind::Root:
        return inside("√", "");
    case Kind::Number:
        return m_line.plain(fullText(static_cast<float>(x.number)));
    case Kind::Choose: {
        m_line.startVector();
        Index element = 0;
        for (const double one : m_evaluation.row(x)) {
            const std::size_t first = m_line.size();
            m_line.plain(fullText(static_cast<float>(one)));
            m_line.endElement(first, element++);
        }
        return m_line.plain(")");
    }
    case Kind::Call: {
        const Expression &argument = x.of[0];
        const bool brackets = !isCopy(argument);
        m_numbers.name(x);
        m_line.plain(brackets ? "(" : "");
        row(argument);
        return m_line.plain(brackets ? ")" : "");
    }
    case Kind::Side:
        for (const Expression &part : x.of) {
            const std::size_t first = m_line.size();
            m_line.plain(&part != x.of.data() ? "  " : "");
            if (!part.is(Kind::Read)) {
                const auto zeros = static_cast<std::size_t>(part.count);
                m_line.vector(std::vector<float>(zeros), m_role);
                m_line.endVectorTerm(first, 0); // not a sum, so all are equally important
                continue;
            }
            const StageInfo &info = infoOf(stageOf(part).stage);
            m_line.symbol(std::string(info.symbol), info.role);
            if (part.head)
                m_line.beneath(text(*part.head), info.role);
            m_line.plain(" ");
            m_line.vector(rowOf(part), info.role, {}, originOfRow(part));
            m_line.endVectorTerm(first, 0); // not a sum, so all are equally important
        }
        return;
    case Kind::Given:
    case Kind::RowIndex:
    case Kind::KeyIndex:
    case Kind::Made:
    case Kind::Gradient:
    case Kind::Maximum:
    case Kind::Subtract:
    case Kind::Power:
    case Kind::Absolute:
    case Kind::Sine:
    case Kind::Cosine:
    case Kind::ErrorFunction:
    case Kind::Positive:
    case Kind::Symbol:
        // These kinds do not occur in arithmetic with rows.
        return;
    }
}

// Arithmetic with single values

void ArithmeticWriter::values() {
    if (m_region.column)
        m_line.result(decimalText(static_cast<double>(m_own(m_row, *m_region.column)),
                                  m_numbers.digits().result));
    else
        m_line.vector(m_own.row(m_row), m_role);
}

void ArithmeticWriter::ownValues() {
    const bool isWholeRow =
        m_meaning.number.is(Kind::Call) && m_meaning.number.written == Written::Row;
    if (isWholeRow)
        m_line.vector(m_own.row(m_row), m_role, m_region.column);
    else
        values();
    if (infoOf(m_selection.stage).overKeys() && m_role == Role::Weights &&
        (isWholeRow || !m_region.column))
        rowSum();
}

void ArithmeticWriter::rowSum() {
    double total = 0;
    for (const float weight : m_own.row(m_row))
        total += static_cast<double>(weight);
    m_line.plain("  ");
    m_line.words(Note::Sum);
    m_line.plain(" = " + resultText(total));
}

void ArithmeticWriter::throughUnnamed() {
    const Step &first = *m_chain.front();
    if (first.shape.rank() == 2 || outerSum(m_meaning.number)) // pooling or a matrix product
        return values();
    if (first.reads.empty()) // a table of parameters
        return values();
    const MatrixPart before = matrix(source());
    m_line.vector(before.row(m_row), infoOf(source().stage).role);
    const Expression begun = meaningOf(m_trace, m_selection.sequence, sliceAt(first)).number;
    if (begun.is(Kind::Add) && first.reads.size() == 2) { // a sum of two matrices
        const StageId other = m_plan[first.reads[1]].at;
        const MatrixPart added = matrix(other);
        m_line.plain(" + ");
        m_line.vector(added.row(m_row), infoOf(other.stage).role);
    }
    for (const Step *step : m_chain) {
        const Expression made = meaningOf(m_trace, m_selection.sequence, sliceAt(*step)).number;
        if (const Expression *sum = outerSum(made)) {
            const Expression &matrix = sum->of[0].of[1];
            m_line.plain(" · ");
            m_line.weight(letterOf(step->parameters[matrix.which].id.which), m_role);
            m_line.plain(made.is(Kind::Add) ? " + b" : "");
        } else if (const Expression &called = made.is(Kind::Named) ? made.of[0] : made;
                   called.is(Kind::Call)) {
            m_line.plain(", ");
            m_numbers.name(called);
        }
    }
    m_line.plain(" → ");
    values();
    if (m_step.heads() > m_plan[m_step.reads[0]].heads())
        m_line.aside(Note::OfAllHeads);
}

void ArithmeticWriter::remarks(Remark::Beside beside) {
    for (const Remark &one : m_meaning.remarks) {
        if (one.beside != beside)
            continue;
        std::vector<std::string> arguments = one.arguments;
        for (const Expression &value : one.values)
            arguments.push_back(resultText(m_evaluation.value(value)));
        m_line.aside(one.note, std::move(arguments));
    }
}

} // namespace headlight::core
