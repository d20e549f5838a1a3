// What the arithmetic of a cell and that of a row have in common: where they find their numbers,
// and what they say of what a person did to them.
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
    /// Both must live as long as this. The selection has a row.
    ArithmeticLine(const Trace &trace, const Selection &selection);

    /// The numbers as they are.
    virtual void values() = 0;
    /// What the step's operation did.
    virtual void operation() = 0;
    /// What a person put in its place. False: here it is as the operation made it.
    virtual bool writeChange(const Operation &change) = 0;

    /// Of the sequence and the selection's head.
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
    /// The sum of the row's weights.
    void rowSum();
    /// " ÷ √8"; nothing where it divides by 1.
    void divisor(const op::Scale &of);
    /// softmax( 0.11 0.42 ) = ( 0.42 0.58 ), the selected column stressed.
    void softmax(const op::Softmax &of);
    /// What is between the last stage and this one has no name: the row before and the row after.
    void throughUnnamed();
    void activationName(Activation activation) {
        m_line.words(Note::ActivationName, {text(static_cast<Index>(activation))});
    }

    Index m_row;
    Role m_role;
    MatrixPart m_own; ///< the selection's stage
    LineWriter m_line;

  private:
    /// "mat → cat:  ", "mat [3]:  ".
    void place();
    /// A trace that could not be made has none.
    bool areSourcesThere() const;
};

} // namespace headlight::core
