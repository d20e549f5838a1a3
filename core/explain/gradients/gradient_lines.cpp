#include "core/explain/gradients/gradient_lines.h"

#include "core/explain/gradients/gradient_terms.h"
#include "core/explain/number_writer.h"
#include "core/explain/symbol_writer.h"
#include "core/selection/selected.h"

#include <algorithm>

namespace headlight::core {

namespace {

class GradientLine {
  public:
    /// The trace must have the stage.
    GradientLine(const BackwardPass &backwardPass, const Selection &selection)
        : m_backwardPass(backwardPass),
          m_trace(*backwardPass.trace),
          m_plan(m_trace.plan()),
          m_selection(selection),
          m_chain(backwardPass) {
        m_made.step = m_plan.origin(*m_plan.find({selection.stage, selection.attention()}));
        // Limits the head, because the selected head may belong to another stack with more heads.
        m_made.head =
            std::min(m_trace.headOf(m_made.step, selection.head), m_plan[m_made.step].heads() - 1);
    }

    Line formula() {
        SymbolWriter symbols(m_trace, m_selection.sequence, m_selection.head, m_line);
        symbols.gradient({m_selection.stage, m_selection.attention()});
        m_line.plain(" = ");
        const std::vector<GradientTerm> terms = m_chain.termsOf(m_selection.sequence, m_made);
        std::vector<Remark> remarks;
        for (auto term = terms.begin(); term != terms.end();) {
            const auto isOther = [&](const GradientTerm &one) { return !one.isOfSameStep(*term); };
            const auto next = std::find_if(term + 1, terms.end(), isOther);
            // Heads share one formula, except silenced ones, whose gradient is a constant.
            const auto shown = std::find_if(term, next, [](const GradientTerm &one) {
                return !one.meaning.number.is(Expression::Kind::Number);
            });
            const Meaning &meaning = (shown == next ? term : shown)->meaning;
            m_line.plain(term == terms.begin() ? "" : " + ");
            symbols.expression(meaning.inSymbols ? *meaning.inSymbols : meaning.number);
            remarks.insert(remarks.end(), meaning.remarks.begin(), meaning.remarks.end());
            term = next;
        }
        if (terms.empty()) {
            m_line.plain("0");
            m_line.aside(Note::NothingFlowsBack);
        }
        for (auto one = remarks.begin(); one != remarks.end(); ++one)
            if (std::find_if(remarks.begin(), one,
                             [&](const Remark &before) { return before.note == one->note; }) == one)
                m_line.aside(one->note, one->arguments);
        return m_line.take();
    }

    Line arithmetic() {
        m_made.row = selectedRow(m_selection);
        m_made.column = selectedColumn(m_selection);
        const MatrixSize size = sizeAt(m_trace, m_selection);
        if (!m_made.row || !m_made.column || *m_made.row >= size.rows ||
            *m_made.column >= size.columns)
            return {};
        const std::vector<GradientTerm> terms = m_chain.termsOf(m_selection.sequence, m_made);
        if (terms.empty())
            return {};
        m_line.name(Piece::Kind::RowName, *m_made.row);
        m_line.plain(":  ");
        double sum = 0;
        for (auto term = terms.begin(); term != terms.end(); ++term) {
            if (term != terms.begin())
                m_line.plain(term->isOfSameStep(*(term - 1)) ? " + " : "  +  ");
            Evaluation evaluation = m_chain.evaluationOf(*term);
            const Role role = infoOf(m_plan[term->made.step].at.stage).role;
            NumberWriter(m_trace, evaluation, m_line, role, NumberWriter::significantDigits())
                .number(term->meaning.number);
            sum += evaluation.value(term->meaning.number);
        }
        m_line.plain(" = ");
        m_line.result(digitsText(computed().value_or(sum)));
        return m_line.take();
    }

  private:
    /// Returns the number that the backward pass computed; no value if it was not kept.
    std::optional<double> computed() const {
        const Tensor gradient = m_backwardPass.gradient(m_selection.stage, m_selection.attention());
        if (gradient.isNull())
            return std::nullopt;
        const Index sequence = m_plan[m_made.step].sequences() == 1 ? 0 : m_selection.sequence;
        return static_cast<double>(
            gradient.view(sequence, m_made.head)(*m_made.row, *m_made.column));
    }

    const BackwardPass &m_backwardPass;
    const Trace &m_trace;
    const Plan &m_plan;
    const Selection &m_selection;
    ChainRule m_chain;
    Slice m_made; ///< the stage or, if a cell is selected, the cell
    LineWriter m_line;
};

} // namespace

Line backFormulaOf(const BackwardPass &backwardPass, const Selection &selection) {
    const bool isThere =
        backwardPass.trace->plan().find({selection.stage, selection.attention()}).has_value();
    return isThere ? GradientLine(backwardPass, selection).formula() : Line();
}

Line backArithmeticOf(const BackwardPass &backwardPass, const Selection &selection) {
    const bool isThere =
        backwardPass.trace->plan().find({selection.stage, selection.attention()}).has_value();
    return isThere ? GradientLine(backwardPass, selection).arithmetic() : Line();
}

} // namespace headlight::core
