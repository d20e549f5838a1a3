// Writes expressions with their numbers: those of one number, or the vectors of a row.
#pragma once

#include "core/explain/explained_step.h"
#include "core/explain/number_writer.h"

namespace headlight::core {

class ArithmeticWriter : private ExplainedStep {
  public:
    /// Both must outlive this object. The selection must have a row.
    ArithmeticWriter(const Trace &trace, const Selection &selection);

    LineWriter &line() { return m_line; }
    const Meaning &meaning() const { return m_meaning; }
    Evaluation &evaluation() { return m_evaluation; }

    bool isThere() const { return m_row >= 0 && m_row < m_own.rows; }
    bool isRename() const { return m_shown.renames.has_value(); }
    bool rowsAreSequences() const { return m_named.shape.rank() == 2; }
    /// False if the trace could not compute a source.
    bool areSourcesThere() const;
    /// False if the meaning reads a step that no line can refer to.
    bool isWritten() const { return m_isWritten; }
    /// True if the value is only copied.
    bool isCopy(const Expression &x) const;
    /// True if it contains the numbers of rows and columns.
    bool hasIndices(const Expression &x) const;
    bool holds(const Expression &choice) { return m_evaluation.holds(choice); }
    /// True if a number of the row that is read is infinite.
    bool hidesAny() const;

    /// Writes an expression with the numbers of the selected cell.
    void number(const Expression &x);
    /// Writes an expression with the vectors of the selected row.
    void row(const Expression &x);
    /// Writes the selected number, or the row.
    void values();
    /// Writes the text after "=": as values(), or the whole row with its sum.
    void ownValues();
    /// Writes the row before the unnamed steps that lead here, their names, and the values.
    void throughUnnamed();
    void remarks(Remark::Beside beside);

    Role roleOf(const Expression &leaf) const { return m_numbers.roleOf(leaf); }
    /// Returns the numbers of a row that is read.
    std::vector<float> rowOf(const Expression &read) const;
    /// The first number of that row; none for a step without a name.
    std::optional<NumberOrigin> originOfRow(const Expression &read) const;

    using ExplainedStep::idOf;
    using ExplainedStep::sliceAt;
    const Step &step() const { return m_step; }
    const MatrixPart &own() const { return m_own; }
    Role role() const { return m_role; }
    StageId sourceStage() const { return source(); }
    /// The stage that a Read reads.
    StageId stageOf(const Expression &read) const {
        return m_plan[m_plan[read.step].reads[read.which]].at;
    }
    ParameterId parameterOf(const Expression &learned) const {
        return m_plan[learned.step].parameters[learned.which].id;
    }
    /// The meaning of the whole row.
    Meaning meaningOfRow() const;
    /// True if an intervention made the value.
    bool isIntervention() const { return m_meaning.by != &m_step.operation; }
    /// The matrix of a stage in the selected sequence and head.
    MatrixPart matrix(StageId at) const;

  private:
    void product(const Expression &sum);
    void rowSum();
    static bool isScalar(const Expression &x);

    Index m_row;
    Role m_role;
    MatrixPart m_own; ///< the selected stage
    Meaning m_meaning;
    bool m_isWritten;
    Evaluation m_evaluation;
    LineWriter m_line;
    NumberWriter m_numbers;
};

} // namespace headlight::core
