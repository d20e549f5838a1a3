#include "core/explain/number_writer.h"

#include "core/explain/symbols.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

using Kind = Expression::Kind;
using Written = Expression::Written;

/// True for a sum, mean or maximum that is written as a single number.
bool isOneOfMany(const Expression &named) {
    const Expression &of = named.of[0];
    return of.is(Kind::Sum) || of.is(Kind::Mean) || of.is(Kind::Maximum);
}

bool isLeaf(const Expression &x) {
    if (x.is(Kind::Named))
        return isOneOfMany(x) || isLeaf(x.of[0]) || (!x.text.empty() && !x.of[0].is(Kind::Number));
    return x.is(Kind::Read) || x.is(Kind::Learned) || x.is(Kind::Table) || x.is(Kind::Made) ||
           x.is(Kind::Gradient) || (x.is(Kind::Call) && x.written == Written::Value);
}

bool isSum(const Expression &x) {
    return x.is(Kind::Add) || x.is(Kind::Subtract) || x.is(Kind::Sum) ||
           (x.is(Kind::Named) && isSum(x.of[0]));
}

/// Counts the numbers in the line. A sum or mean counts as kMany.
int leavesOf(const Expression &x) {
    constexpr int kMany = 3;
    if (x.is(Kind::Sum) || x.is(Kind::Mean))
        return kMany;
    if (x.is(Kind::Named) && isOneOfMany(x))
        return 0;
    if (isLeaf(x))
        return 1;
    if (x.is(Kind::Call))
        return leavesOf(x.of[x.written == Written::Body ? 1 : 0]);
    int count = 0;
    for (const Expression &part : x.of)
        count += leavesOf(part);
    return count;
}

/// True if the numbers of a sum or a mean are written, and there is more than one summand.
bool addsMany(const Expression &x) {
    if (x.is(Kind::Sum) || x.is(Kind::Mean))
        return x.count > 1;
    if (isLeaf(x))
        return false;
    if (x.is(Kind::Call))
        return addsMany(x.of[x.written == Written::Body ? 1 : 0]);
    return std::ranges::any_of(x.of, addsMany);
}

bool hasGradient(const Expression &x) {
    return x.is(Kind::Gradient) || std::ranges::any_of(x.of, hasGradient);
}

} // namespace

constexpr int kMaxOperandDecimals = 9;

NumberWriter::Digits NumberWriter::digitsFor(const Expression &x) {
    return leavesOf(x) > 2 ? Digits{} : Digits{.operands = 4};
}

double NumberWriter::printedValue(const Expression &x, const Digits &digits) {
    return m_evaluation.printedValue(
        x,
        [&](const Expression &part, bool isFactor,
            const std::function<double()> &value) -> std::optional<double> {
            if (isFactor)
                return decimalValue(static_cast<double>(static_cast<float>(value())),
                                    digits.operands); // rounded to float, as in a Term
            if (!isLeaf(part))
                return std::nullopt;
            const bool isStatistic = part.is(Kind::Named) && isOneOfMany(part);
            return decimalValue(value(), isStatistic ? digits.statistics : digits.operands);
        });
}

void NumberWriter::chooseDigits(const Expression &x, double result) {
    m_digits = digitsFor(x);
    // More decimals would make a sum of many products too long.
    if (!std::isfinite(result) || addsMany(x))
        return;
    const double shown = decimalValue(result, m_digits.result);
    // The result is computed with 32-bit floats, so a value near a rounding boundary may be rounded
    // either way.
    const double half = 0.5 * std::pow(10, -m_digits.result) + 0.5e-5 * (1 + std::abs(shown));
    while (m_digits.operands < kMaxOperandDecimals &&
           std::abs(printedValue(x, m_digits) - shown) > half) {
        ++m_digits.operands;
        m_digits.statistics = std::max(m_digits.statistics, m_digits.operands);
    }
}

bool NumberWriter::isOfOneHead(const Expression &x) {
    return x.is(Kind::Named) ? isOfOneHead(x.of[0]) : x.is(Kind::Read) && x.head.has_value();
}

Role NumberWriter::roleOf(const Expression &x) const {
    switch (x.kind) {
    case Kind::Read:
        return infoOf(m_plan[m_plan[x.step].reads[x.which]].at.stage).role;
    case Kind::Made:
    case Kind::Gradient:
        return infoOf(m_plan[x.step].at.stage).role;
    case Kind::Learned:
        return roleOfParameters(m_plan[x.step]);
    case Kind::Table:
        return x.role.value_or(m_role);
    case Kind::Named:
        return isOneOfMany(x) ? Role::Residual : roleOf(x.of[0]);
    case Kind::Call:
        return roleOf(x.of[0]);
    default:
        return m_role;
    }
}

void NumberWriter::leaf(const Expression &x, bool isBracketed, bool isDivisor) {
    const double value = m_evaluation.value(x);
    const bool isStatistic = x.is(Kind::Named) && isOneOfMany(x);
    const std::string text =
        m_digits.isSignificant
            ? digitsText(value)
            : decimalText(value, isStatistic ? m_digits.statistics : m_digits.operands);
    const bool hasPower = isDivisor && text.find("·") != text.npos; // 1.234·10⁻²
    const std::string written = hasPower || (isBracketed && value < 0) ? "(" + text + ")" : text;
    if (isStatistic)
        m_line.plain(written);
    else
        m_line.number(written, roleOf(x), m_evaluation.originOf(x));
}

void NumberWriter::operand(const Expression &x, bool isBracketed, bool isDivisor) {
    if (isLeaf(x))
        return leaf(x, isBracketed, isDivisor);
    if (!isSum(x) && !(isDivisor && x.is(Kind::Multiply)))
        return number(x, isBracketed);
    m_line.plain("(");
    number(x);
    m_line.plain(")");
}

void NumberWriter::factor(const Expression &x, double value, bool isBracketed,
                          const std::optional<NumberOrigin> &origin) {
    const bool isSignificant = m_digits.isSignificant && hasGradient(x);
    const std::string text =
        isSignificant ? digitsText(value) : decimalText(value, m_digits.operands);
    m_line.number(isBracketed && value < 0 ? "(" + text + ")" : text, roleOf(x), origin);
}

void NumberWriter::sum(const Expression &x) {
    Index summand = x.first;
    for (const Term &term : m_evaluation.terms(x)) {
        const std::size_t first = m_line.size();
        const auto write = [&](const Expression &part, float value, bool isBracketed) {
            factor(part, static_cast<double>(value), isBracketed,
                   m_evaluation.originOf(part, &x, summand));
        };
        m_line.plain(summand > x.first ? " + " : "");
        if (x.of[0].is(Kind::Multiply)) {
            write(x.of[0].of[0], term.left, false);
            m_line.plain("·");
            write(x.of[0].of[1], term.right, true);
        } else {
            write(x.of[0], term.left, summand > x.first);
        }
        ++summand;
        m_line.endTerm(first, term.product());
    }
}

void NumberWriter::number(const Expression &x, bool isBracketed) {
    const auto between = [&](const char *sign) {
        if (isSum(x))
            number(x.of[0], isBracketed);
        else
            operand(x.of[0], isBracketed);
        m_line.plain(sign);
        operand(x.of[1], true, x.is(Kind::Divide));
    };
    const auto inside = [&](const std::string &before, const std::string &after) {
        m_line.plain(before);
        number(x.of[0]);
        m_line.plain(after);
    };
    const Index row = *m_evaluation.made().row;
    if (isOfOneHead(x)) {
        const Expression &read = x.is(Kind::Named) ? x.of[0] : x;
        m_line.symbol("Z", Role::Context);
        m_line.beneath(std::to_string(*read.head), Role::Context);
        m_line.plain("[");
        m_line.name(Piece::Kind::RowName, row, false);
        return m_line.plain(", " + std::to_string(read.column.index) + "]");
    }
    if (isLeaf(x))
        return leaf(x, isBracketed);
    switch (x.kind) {
    case Kind::Number:
        return m_line.plain(fullText(static_cast<float>(x.number)));
    case Kind::RowIndex:
        return m_line.plain(std::to_string(row));
    case Kind::KeyIndex:
        return m_line.plain(std::to_string(*m_evaluation.made().column));
    case Kind::Sum:
        return sum(x);
    case Kind::Mean:
        m_line.words(Note::Mean);
        m_line.plain("( ");
        for (const Term &term : m_evaluation.terms(x)) {
            m_line.number(decimalText(static_cast<double>(term.left), m_digits.operands), m_role);
            m_line.plain(" ");
        }
        return m_line.plain(")");
    case Kind::Add:
        return between(" + ");
    case Kind::Subtract:
        return between(" − ");
    case Kind::Multiply:
        return between("·");
    case Kind::Divide:
        return between(" ÷ ");
    case Kind::Negative:
        return inside("−", "");
    case Kind::Absolute:
        return inside("|", "|");
    case Kind::Root:
        return x.of[0].is(Kind::Number) ? inside("√", "") : inside("√(", ")");
    case Kind::Exponential:
        return inside("exp(", ")");
    case Kind::Sine:
        return inside("sin(", ")");
    case Kind::Cosine:
        return inside("cos(", ")");
    case Kind::Tanh:
        return inside("tanh(", ")");
    case Kind::Power:
        return between("^");
    case Kind::Named:
        return number(x.of[0], isBracketed);
    case Kind::Choose: {
        const Expression &chosen = x.of[m_evaluation.holds(x) ? 1 : 2];
        const bool brackets = chosen.is(Kind::Number) && chosen.number < 0;
        m_line.plain(brackets ? "(" : "");
        number(chosen);
        return m_line.plain(brackets ? ")" : "");
    }
    case Kind::Call:
        return call(x);
    case Kind::Given:
    case Kind::Read:
    case Kind::Learned:
    case Kind::Table:
    case Kind::Made:
    case Kind::Gradient:
    case Kind::Maximum:
    case Kind::ErrorFunction:
    case Kind::Positive:
    case Kind::Symbol:
    case Kind::Side:
        // These kinds do not occur in arithmetic with single values.
        return;
    }
}

void NumberWriter::name(const Expression &x) {
    if (x.name == Note::None)
        m_line.plain(x.text);
    else
        m_line.words(x.name, x.arguments);
}

void NumberWriter::call(const Expression &x) {
    if (x.written == Written::Body)
        return number(x.of[1]);
    name(x);
    if (x.of[0].is(Kind::Symbol))
        return;
    m_line.plain("(");
    number(x.of[0]);
    m_line.plain(")");
}

} // namespace headlight::core
