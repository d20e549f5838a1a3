// Writes expressions in symbols, such as Q · Kᵀ.
#pragma once

#include "core/explain/expression.h"
#include "core/explain/line_writer.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

class SymbolWriter {
  public:
    /// All references must outlive this object. Stages without their own symbol are replaced by
    /// their formula in this sequence and query head.
    SymbolWriter(const Trace &trace, Index sequence, Index head, LineWriter &line)
        : m_trace(trace), m_plan(trace.plan()), m_sequence(sequence), m_head(head), m_line(line) {}

    /// If true, symbols have the row as a subscript: Q_i.
    void setOfEachRow(bool isOfEachRow) { m_isOfEachRow = isOfEachRow; }

    void expression(const Expression &x);
    void stage(StageId at, const char *after = "");
    /// Writes ∂loss/∂ and the symbol of the stage.
    void gradient(StageId of);

  private:
    const Step &stepOf(const Expression &x) const;
    std::optional<Expression> inOtherSymbols(const Expression &read) const;
    bool isSum(const Expression &x) const;
    void operand(const Expression &x, bool isDivisor = false);
    void symbol(const Expression &x);
    void square(const Expression &x);
    void bias(const Expression &learned);
    void product(const Expression &sum);
    void factor(const Expression &x, bool isTransposed);
    void call(const Expression &x);
    void sideBySide(const Expression &x);

    const Trace &m_trace;
    const Plan &m_plan;
    Index m_sequence;
    Index m_head;
    LineWriter &m_line;
    bool m_isOfEachRow = false;
};

} // namespace headlight::core
