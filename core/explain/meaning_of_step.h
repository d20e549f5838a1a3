// Common base of a step's forward and backward meaning.
#pragma once

#include "core/explain/meaning.h"
#include "core/transformer/model/parameter_block.h"
#include "core/transformer/run/operands.h"

namespace headlight::core {

/// The statistics of a norm over a row. For batch norm, over a column of all sequences.
struct NormStatistics {
    NormKind kind = NormKind::Layer;
    Index count = 0; ///< number of values
    Expression mean{}, variance{}, deviation{};

    bool isOfBatch() const { return kind == NormKind::Batch; }
    bool centres() const { return kind != NormKind::RootMeanSquare; }
    Expression centred(const Expression &x) const { return centres() ? x - mean : x; }
    /// Returns `x` with the index of the sum or mean as its column or, for batch norm, as its row.
    Expression along(Expression x, Expression::RowsOf rows) const {
        (isOfBatch() ? x.row : x.column) = kSummed;
        x.rowsOf = isOfBatch() ? rows : Expression::RowsOf::Sequence;
        return x;
    }
};

class MeaningOfStep {
  protected:
    /// The trace must outlive this object.
    MeaningOfStep(const Trace &trace, Index sequence, StepId step, Index head)
        : m_trace(trace),
          m_plan(trace.plan()),
          m_step(m_plan[step]),
          m_id(step),
          m_sequence(sequence),
          m_head(head) {}

    void is(Expression number) { m_meaning.number = std::move(number); }
    void remark(Remark::Beside beside, Note note, std::vector<std::string> arguments = {},
                std::vector<Expression> values = {}) {
        m_meaning.remarks.push_back({beside, note, std::move(arguments), std::move(values)});
    }

    static double asDouble(Index index) { return static_cast<double>(index); }
    Expression leafAt(Expression::Kind kind, Coordinate row, Coordinate column) const {
        Expression made = leaf(kind);
        made.step = m_id;
        made.row = row;
        made.column = column;
        return made;
    }
    Expression read(std::size_t which, Coordinate row = kRow, Coordinate column = kColumn) const {
        Expression made = leafAt(Expression::Kind::Read, row, column);
        made.which = which;
        return made;
    }
    Expression parameter(std::size_t which, Coordinate row, Coordinate column) const {
        Expression made = leafAt(Expression::Kind::Learned, row, column);
        made.which = which;
        return made;
    }
    /// Returns an empty block if the model does not have the parameter.
    ParameterBlock parameter(std::size_t which) const {
        return which < m_step.parameters.size()
                   ? sliceOf(m_trace.model().parameters, m_step.parameters[which], m_step.heads(),
                             m_head)
                   : ParameterBlock();
    }
    NormStatistics statisticsOf(NormKind kind, float epsilon) const {
        NormStatistics made{kind, m_plan[m_step.reads[0]].shape.last(0)};
        if (made.isOfBatch())
            made.count = realTokens();
        const auto mean = [&](Expression x) {
            return over(Expression::Kind::Mean, std::move(x), made.count);
        };
        const Expression x = made.along(read(0), Expression::RowsOf::RealTokens);
        made.mean = named(Quantity::Mean, mean(x), "μ");
        made.variance = named(Quantity::Variance, mean(power(made.centred(x), number(2))),
                              made.centres() ? "σ²" : "");
        made.deviation = named(Quantity::Deviation,
                               function(Expression::Kind::Root,
                                        made.variance + number(static_cast<double>(epsilon), "ε")));
        return made;
    }
    /// Returns the cosine or sine of a pair's rotation. `turns` must outlive the expression.
    static Expression turning(const RotaryAngles &turns, Index pair, Matrix RotaryTable::*which) {
        Expression made = table([pair, which, &turns](Index row, Index) {
            return static_cast<double>((RotaryTable(turns, row + 1).*which)(row, pair));
        });
        made.role = Role::Scores;
        return made;
    }
    static Expression tempered(Expression x, float temperature) {
        return temperature == 1 ? x : std::move(x) / number(static_cast<double>(temperature));
    }

    const Batch &batch() const { return m_trace.input().of(m_step.at.attention.stack); }
    Index realTokens() const {
        Index count = 0;
        for (const Sequence &sequence : batch().sequences())
            count += sequence.length;
        return count;
    }
    const Mask &mask() const { return m_trace.mask(m_sequence, m_step.at.attention); }
    /// Returns the intervention on the matrix; null if there is none.
    const Operation *changeOfStep() const {
        return m_step.changeAt(m_step.sequences() == 1 ? 0 : m_sequence, m_head);
    }

    const Trace &m_trace;
    const Plan &m_plan;
    const Step &m_step;
    StepId m_id;
    Index m_sequence;
    Index m_head;
    Meaning m_meaning;
};

} // namespace headlight::core
