// Common base of the arithmetic of cells and rows: access to the numbers, and notes about
// interventions.
#pragma once

#include "core/explain/explained_step.h"
#include "core/explain/line_writer.h"
#include "core/explain/matrix_part.h"

namespace headlight::core {

class ArithmeticLine : protected ExplainedStep {
  public:
    virtual ~ArithmeticLine() = default;

    bool isThere() const { return m_row >= 0 && m_row < m_own.rows; }
    Line line();

  protected:
    /// Both must outlive this object. The selection must have a row.
    ArithmeticLine(const Trace &trace, const Selection &selection);

    /// Writes only the values.
    virtual void values() = 0;
    /// Writes the operation of the step.
    virtual void operation() = 0;
    /// Writes the intervention that replaces the operation. Returns false if it does not affect
    /// this cell or row.
    virtual bool writeChange(const Operation &change) = 0;

    /// The selected head's matrix in the selected sequence.
    MatrixPart matrix(StageId at) const {
        const auto step = m_trace.plan().find(at);
        return step ? partAt(m_trace, *step, m_selection.sequence,
                             m_trace.headOf(*step, m_selection.head), m_row)
                    : MatrixPart();
    }
    MatrixPart read(std::size_t which) const { return matrix(readAt(which)); }
    ParameterBlock parameter(std::size_t which) const;
    const Batch &batch() const { return m_trace.input().of(m_step.at.attention.stack); }
    const Mask &mask() const { return m_trace.mask(m_selection.sequence, m_selection.attention()); }
    bool isHidden(Index column) const { return mask().hidden(m_row, column); }
    Index visibleKeys() const { return mask().visibleKeys(m_row); }

    void rowOf(const MatrixPart &from, Role role) { m_line.vector(from.row(m_row), role); }
    void equalsOwn() {
        m_line.plain(" = ");
        values();
    }
    /// Writes the sum of the row's weights.
    void rowSum();
    /// Writes " ÷ √8"; nothing if the divisor is 1.
    void divisor(const op::Scale &of);
    /// Writes softmax( 0.11 0.42 ) = ( 0.42 0.58 ), with the selected column emphasised.
    void softmax(const op::Softmax &of);
    /// Writes the row before and after the unnamed steps that lead to this stage.
    void throughUnnamed();
    void activationName(Activation activation) {
        m_line.words(Note::ActivationName, {text(static_cast<Index>(activation))});
    }

    Index m_row;
    Role m_role;
    MatrixPart m_own; ///< the selected stage
    LineWriter m_line;

  private:
    /// Writes "mat → cat:  " or "mat [3]:  ".
    void place();
    /// False if the trace could not compute a source.
    bool areSourcesThere() const;
};

} // namespace headlight::core
