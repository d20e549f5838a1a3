// Writes expressions with the values of one cell: 0.11·0.52 + 0.40·0.25.
#pragma once

#include "core/explain/evaluation.h"
#include "core/explain/line_writer.h"

namespace headlight::core {

class NumberWriter {
  public:
    /// Decimals of a line.
    struct Digits {
        int operands = 2;
        int statistics = 4;
        int result = 4;
        bool isSignificant = false; ///< four significant digits; two decimals for factors in sums
    };
    static Digits significantDigits() { return {.isSignificant = true}; }
    /// `role`: role of the cell. All references must outlive this object.
    NumberWriter(const Trace &trace, Evaluation &evaluation, LineWriter &line, Role role,
                 Digits digits)
        : m_trace(trace),
          m_plan(trace.plan()),
          m_evaluation(evaluation),
          m_line(line),
          m_role(role),
          m_digits(digits) {}

    /// `isBracketed`: puts a negative first number in brackets, because an operator precedes it.
    void number(const Expression &x, bool isBracketed = false);
    /// Writes the name of a Call.
    void name(const Expression &call);
    Role roleOf(const Expression &leaf) const;

    /// Returns the usual precision for a line: fewer decimals if many numbers are added.
    static Digits digitsFor(const Expression &x);
    /// Chooses the precision so that the printed numbers of `x` give the printed `result`: the
    /// usual precision, with more decimals for the operands if necessary. Sums and means keep the
    /// usual precision.
    void chooseDigits(const Expression &x, double result);
    const Digits &digits() const { return m_digits; }
    /// True if the value is read from a fixed head. The line then shows the head and the column.
    static bool isOfOneHead(const Expression &x);

  private:
    /// Returns the value of the expression, computed from its printed numbers.
    double printedValue(const Expression &x, const Digits &digits);
    void operand(const Expression &x, bool isBracketed, bool isDivisor = false);
    void leaf(const Expression &x, bool isBracketed, bool isDivisor = false);
    void sum(const Expression &x);
    void factor(const Expression &x, double value, bool isBracketed,
                const std::optional<NumberOrigin> &origin);
    void call(const Expression &x);

    const Trace &m_trace;
    const Plan &m_plan;
    Evaluation &m_evaluation;
    LineWriter &m_line;
    Role m_role;
    Digits m_digits;
};

} // namespace headlight::core
