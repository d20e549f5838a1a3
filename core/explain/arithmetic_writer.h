// Writes expressions with the values of one cell, or with the vectors of a row.
#pragma once

#include "core/explain/explained_step.h"
#include "core/explain/number_writer.h"

namespace headlight::core {

class ArithmeticWriter : private ExplainedStep {
  public:
    /// Both arguments must outlive this object. The selection must have a row.
    ArithmeticWriter(const Trace &trace, const Selection &selection);

    LineWriter &line() { return m_line; }
    const Meaning &meaning() const { return m_meaning; }
    Evaluation &evaluation() { return m_evaluation; }

    bool isThere() const { return m_row >= 0 && m_row < m_own.rows; }
    bool isRename() const { return m_shown.renames.has_value(); }
    bool rowsAreSequences() const { return m_named.shape.rank() == 2; }
    /// False if the trace could not compute a source.
    bool areSourcesThere() const;
    /// False if the meaning reads an unnamed step, which no line can show.
    bool isWritten() const { return m_isWritten; }
    /// True if the expression is only a copy of another value.
    bool isCopy(const Expression &x) const;
    /// True if the expression contains row or column indices.
    bool hasIndices(const Expression &x) const;
    bool holds(const Expression &choice) { return m_evaluation.holds(choice); }
    /// True if the row that is read contains an infinity, such as the score of a hidden key.
    bool hidesAny() const;

    /// Writes an expression with the values of the selected cell.
    void number(const Expression &x);
    /// Writes an expression with the vectors of the selected row.
    void row(const Expression &x);
    /// Writes the selected value, or the row if no cell is selected.
    void values();
    /// Writes the part after "=": values(), or the whole row after a function of the row such as
    /// softmax. Adds the sum if the row has attention weights.
    void ownValues();
    /// Writes the row that the preceding unnamed steps start from, their operations, and the
    /// values.
    void throughUnnamed();
    void remarks(Remark::Beside beside);

    Role roleOf(const Expression &leaf) const { return m_numbers.roleOf(leaf); }
    /// Returns the row of values that a Read reads.
    std::vector<float> rowOf(const Expression &read) const;
    /// Returns the origin of the first value of rowOf(); none for a step without a name.
    std::optional<NumberOrigin> originOfRow(const Expression &read) const;

    using ExplainedStep::idOf;
    using ExplainedStep::sliceAt;
    const Step &step() const { return m_step; }
    const MatrixPart &own() const { return m_own; }
    Role role() const { return m_role; }
    StageId sourceStage() const { return source(); }
    /// Returns the stage that a Read reads.
    StageId stageOf(const Expression &read) const {
        return m_plan[m_plan[read.step].reads[read.which]].at;
    }
    ParameterId parameterOf(const Expression &learned) const {
        return m_plan[learned.step].parameters[learned.which].id;
    }
    /// Returns the meaning of the whole row.
    Meaning meaningOfRow() const;
    /// True if an intervention determines the value.
    bool isIntervention() const { return m_meaning.by != &m_step.operation; }
    /// Returns the matrix of a stage in the selected sequence and head.
    MatrixPart matrix(StageId at) const;

  private:
    void product(const Expression &sum);
    void rowSum();
    static bool isScalar(const Expression &x);

    Index m_row;
    Role m_role;
    MatrixPart m_own; ///< matrix of the selected stage
    Meaning m_meaning;
    bool m_isWritten;
    Evaluation m_evaluation;
    LineWriter m_line;
    NumberWriter m_numbers;
};

} // namespace headlight::core
